import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

/** The folder of a build whose file names contain a hash, so that the content under a name never changes. */
export const ASSETS = 'assets'

const WEEK_MS = 7 * 24 * 3_600_000
/** Often enough that a file of a running build never looks a week old. */
const KEEP_EVERY_MS = 6 * 3_600_000

type KeptAssets = { readonly webRoot: string; readonly keptRoot: string; readonly now: Date }

/**
 * Copies the assets of the present build to a folder that survives deployments, and removes those that no api has
 * served as its own for a week. A page that was opened before a deployment can so load its remaining parts afterwards,
 * and during a deployment each api can answer for the other's build. Several processes may do this at once.
 */
export async function keepAssets({ webRoot, keptRoot, now }: KeptAssets): Promise<void> {
  const [present, kept] = [join(webRoot, ASSETS), join(keptRoot, ASSETS)]
  await mkdir(kept, { recursive: true })
  const names = await readdir(present)
  const known = new Set(await readdir(kept))
  for (const name of names) {
    if (!known.has(name)) await copyWhole(join(present, name), join(kept, name))
    // The time says when a build with this file was last served.
    await utimes(join(kept, name), now, now)
  }
  for (const name of known) {
    const path = join(kept, name)
    const servedAt = await stat(path).catch(() => null)
    if (servedAt && servedAt.mtimeMs < now.getTime() - WEEK_MS) await rm(path, { force: true })
  }
}

/** Nobody can read a half-written file, because it gets its name when it is complete. */
async function copyWhole(from: string, to: string): Promise<void> {
  const unfinished = `${to}.${randomUUID()}.unfinished`
  await copyFile(from, unfinished)
  await rename(unfinished, to)
}

/**
 * Keeps the assets now and every few hours, until the api closes. Returns false, and stops nothing, if the folder
 * cannot be used.
 */
export async function keepAssetsFromNowOn(app: FastifyInstance, roots: Omit<KeptAssets, 'now'>): Promise<boolean> {
  const keep = async (): Promise<boolean> => {
    try {
      await keepAssets({ ...roots, now: new Date() })
      return true
    } catch (error) {
      app.log.error({ err: error }, 'the files of this build of the web app could not be kept for open pages')
      return false
    }
  }
  if (!(await keep())) return false
  const timer = setInterval(keep, KEEP_EVERY_MS).unref()
  app.addHook('onClose', () => clearInterval(timer))
  return true
}
