// Compiles the contracts and writes what TypeScript needs of them: a typed ABI and the creation bytecode, a file each.
//
//   src/*.sol      → generated/*.ts      the pool's own contracts:   import … from '@lode/contracts'
//   src/dev/*.sol  → generated/dev/*.ts  never on a real chain:      import … from '@lode/contracts/dev'
//
// The two doors are apart so that development bytecode cannot slip into a production bundle. `--check` writes nothing
// and fails if the files on disk are not exactly what the sources give.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { forge, packageRoot as root } from './forge.ts'

const banner = '// Generated from the contracts by `pnpm --filter @lode/contracts run build`. Not to be edited.\n'

type AbiPart = { readonly type: string } & Record<string, unknown>

function main(): void {
  compile()
  const wanted = new Map([...generate('src', 'generated'), ...generate('src/dev', 'generated/dev')])
  if (process.argv.includes('--check')) check(wanted)
  else write(wanted)
}

function compile(): void {
  const { status } = forge(['build', '--quiet', 'src'])
  if (status !== 0) process.exit(status)
}

/** The files for the contracts that lie directly in `sources`, by path below the package. */
function generate(sources: string, target: string): Map<string, string> {
  const files = new Map<string, string>()
  const names = readdirSync(join(root, sources))
    .filter((file) => file.endsWith('.sol'))
    .map((file) => basename(file, '.sol'))
    .sort()
  for (const name of names) files.set(`${target}/${variableName(name)}.ts`, contractFile(name))
  const exports = names.map((name) => `export * from './${variableName(name)}.ts'\n`)
  files.set(`${target}/index.ts`, banner + exports.join(''))
  return files
}

function contractFile(name: string): string {
  const artifact = JSON.parse(readFileSync(join(root, `out/${name}.sol/${name}.json`), 'utf8'))
  const lines = artifact.abi.map((part: AbiPart) => `  ${JSON.stringify(withoutInternalTypes(part))},\n`)
  const bytecode: string = artifact.bytecode.object
  // An interface has no bytecode, and one with a hole for a library's address cannot be deployed as it is.
  if (!/^0x([0-9a-f]{2})*$/.test(bytecode)) throw new Error(`${name} needs linking`)
  const variable = variableName(name)
  const abi = `export const ${variable}Abi = [\n${lines.join('')}] as const\n`
  const code = bytecode === '0x' ? '' : `\nexport const ${variable}Bytecode =\n  '${bytecode}' as const\n`
  return `${banner}\n${abi}${code}`
}

/** `internalType` repeats the Solidity names; viem does not read it and the bundle would carry it. */
function withoutInternalTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutInternalTypes)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([key]) => key !== 'internalType')
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutInternalTypes(inner)]))
}

function variableName(contract: string): string {
  return contract.charAt(0).toLowerCase() + contract.slice(1)
}

function write(wanted: ReadonlyMap<string, string>): void {
  for (const stale of onDisk().filter((file) => !wanted.has(file))) rmSync(join(root, stale))
  for (const [file, text] of wanted) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  console.log(`generated ${wanted.size} files`)
}

function check(wanted: ReadonlyMap<string, string>): void {
  const disk = onDisk()
  const drift = [
    ...disk.filter((file) => !wanted.has(file)).map((file) => `${file}: has no contract`),
    ...[...wanted.keys()].filter((file) => !disk.includes(file)).map((file) => `${file}: missing`),
    ...disk
      .filter((file) => wanted.has(file) && wanted.get(file) !== readFileSync(join(root, file), 'utf8'))
      .map((file) => `${file}: differs from the sources`),
  ]
  for (const line of drift) console.error(line)
  if (drift.length > 0) {
    console.error('run `pnpm --filter @lode/contracts run build` and commit generated/')
    process.exit(1)
  }
}

function onDisk(): string[] {
  try {
    return readdirSync(join(root, 'generated'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `generated/${file}`)
  } catch {
    return []
  }
}

main()
