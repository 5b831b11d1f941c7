import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { compileCacheOf, serverProcesses } from './server-bundle.ts'

/** Bundles the server's processes into a folder: node make-server-bundle.ts SERVER_FOLDER FOLDER. */

const UNUSED_AFTER_MS = 24 * 3_600_000
/** Stay outside of the bundle: the first loads a binary, the second serves files of its own folder. */
const EXTERNAL = /^(@node-rs\/argon2|@fastify\/swagger-ui)$/

const [serverFolder = '', folder = ''] = process.argv.slice(2)
const entries = new Map(serverProcesses.map((name) => [join(serverFolder, 'src/processes', `${name}.ts`), name]))

/** Lets each module find its files where its source is, and keeps other modules from running as the main program. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  resolveId: {
    filter: { id: EXTERNAL },
    async handler(id, importer, options) {
      const found = await this.resolve(id, importer, { ...options, skipSelf: true })
      return found && { id: found.id, external: 'absolute' }
    },
  },
  transform: {
    filter: { code: /\bimport\.meta\.(url|dirname|filename|main)\b|\b__(dirname|filename)\b/ },
    handler(code, id) {
      if (!isAbsolute(id)) return null
      const file = JSON.stringify(id)
      const directory = JSON.stringify(dirname(id))
      const values: Readonly<Record<string, string>> = {
        'import.meta.url': JSON.stringify(pathToFileURL(id).href),
        'import.meta.filename': file,
        'import.meta.dirname': directory,
        'import.meta.main': String(entries.has(id)),
        __filename: file,
        __dirname: directory,
      }
      return code.replace(
        /\bimport\.meta\.(url|dirname|filename|main)\b|\b__(dirname|filename)\b/g,
        (name) => values[name] ?? name,
      )
    },
  },
}

await mkdir(dirname(folder), { recursive: true })
// Another run may make the same bundle at the same time. The first to finish gets the name.
const unfinished = await mkdtemp(join(dirname(folder), '.unfinished-'))
const bundle = await rolldown({
  input: Object.fromEntries(Array.from(entries, ([file, name]) => [name, file])),
  platform: 'node',
  logLevel: 'warn',
  plugins: [keepPlaces],
})
await bundle.write({
  dir: unfinished,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  keepNames: true,
})
try {
  await rename(unfinished, folder)
} catch (error) {
  if (!existsSync(folder)) throw error
  await rm(unfinished, { recursive: true })
}
await Promise.all([...serverProcesses.map(fillCompileCache), removeUnused()])

/**
 * Node writes its compile cache only when a process exits by itself, and tests kill theirs. So each process is started
 * once without a configuration, and exits right after loading.
 */
function fillCompileCache(name: string): Promise<void> {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCacheOf(folder) }
  return new Promise((resolve) => {
    execFile(process.execPath, [join(folder, `${name}.mjs`)], { env }, () => resolve())
  })
}

async function removeUnused(): Promise<void> {
  for (const name of await readdir(dirname(folder))) {
    const path = join(dirname(folder), name)
    const used = await stat(path).catch(() => null)
    if (name !== basename(folder) && used && Date.now() - used.mtimeMs > UNUSED_AFTER_MS)
      await rm(path, { recursive: true, force: true })
  }
}
