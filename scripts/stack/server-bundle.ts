import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, realpathSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const serverProcesses = ['api', 'worker', 'signer', 'lode'] as const
type ServerProcess = (typeof serverProcesses)[number]

/** How to start a process of the server from its bundle. */
type BundledProcess = { readonly file: string; readonly environment: Readonly<Record<string, string>> }

export const defaultServerFolder = resolve(import.meta.dirname, '../../apps/server')
const maker = join(import.meta.dirname, 'make-server-bundle.ts')
const foundFolders = new Map<string, string>()

/**
 * Returns the bundle of a server process and makes it first if the sources have changed. A bundle starts in a fifth of
 * the CPU time of the sources (docs/decisions/typescript-without-a-build.md). A program compares the sources once; in
 * Vitest, each test file does.
 */
export function findBundledProcess(name: ServerProcess, serverFolder = defaultServerFolder): BundledProcess {
  let folder = foundFolders.get(serverFolder)
  if (folder === undefined) {
    folder = findOrMakeBundle(serverFolder)
    foundFolders.set(serverFolder, folder)
  }
  return { file: join(folder, `${name}.mjs`), environment: { NODE_COMPILE_CACHE: compileCacheOf(folder) } }
}

export const compileCacheOf = (bundle: string): string => join(bundle, 'compiled')

function findOrMakeBundle(serverFolder: string): string {
  const folder = join(serverFolder, 'dist', hashSources(serverFolder))
  // Bundles that nobody used for a day are removed.
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date())
  else execFileSync(process.execPath, [maker, serverFolder, folder], { env: { PATH: process.env.PATH } })
  return folder
}

/** A hash of every file that can change the bundle. */
function hashSources(serverFolder: string): string {
  const hash = createHash('sha256').update(process.version)
  const packages = ['kernel', 'wire', 'contracts'].map((name) =>
    realpathSync(join(serverFolder, 'node_modules/@lode', name)),
  )
  const sources = [join(serverFolder, 'src'), ...packages].flatMap((folder) =>
    globSync('**/*.{ts,json}', { cwd: folder, exclude: ['**/node_modules', '**/*.test.ts'] })
      .sort()
      .map((file) => join(folder, file)),
  )
  for (const file of [resolve(import.meta.dirname, '../../pnpm-lock.yaml'), maker, ...sources]) {
    const content = readFileSync(file)
    hash.update(`${file}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, 24)
}
