import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export const repository = resolve(import.meta.dirname, '../..')
const folder = resolve(repository, process.env.LODE_DEV_FOLDER ?? '.data/dev')

/** The web app's URL, from the settings file of the demo's stack. */
export const webOrigin = (): string =>
  /^WEB_URL=(.+)$/m.exec(readFileSync(resolve(folder, 'lode.env'), 'utf8'))?.[1] ?? ''

/**
 * A URL that answers once a stack with the usual ports runs completely: vite answers early, the api last. The stack
 * writes its settings before it starts the api, so `webOrigin` can be read by then.
 */
export const readyUrl = (): string => {
  const origin = existsSync(resolve(folder, 'lode.env')) ? webOrigin() : 'http://127.0.0.1:5173'
  return `${origin}/api/pool/chain`
}
