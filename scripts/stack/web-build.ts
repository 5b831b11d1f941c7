import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryRoot } from '../repository-files.ts'

const run = promisify(execFile)
const web = join(repositoryRoot, 'apps/web')
const built = join(web, 'dist')

/** The folder of the production build. Builds first if it is missing or older than a source. */
export async function ensureWebBuild(): Promise<string> {
  if (await isStale()) await run(process.execPath, [join(web, 'node_modules/vite/bin/vite.js'), 'build'], { cwd: web })
  return built
}

async function isStale(): Promise<boolean> {
  const index = join(built, 'index.html')
  if (!existsSync(index)) return true
  const builtAt = statSync(index).mtimeMs
  const sources = glob(['pnpm-lock.yaml', 'apps/web/*', 'apps/web/{src,public}/**', 'packages/{kernel,wire}/src/**'], {
    cwd: repositoryRoot,
    exclude: ['apps/web/dist', 'apps/web/node_modules'],
    withFileTypes: true,
  })
  for await (const entry of sources) {
    if (entry.isFile() && statSync(join(entry.parentPath, entry.name)).mtimeMs > builtAt) return true
  }
  return false
}
