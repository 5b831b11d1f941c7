import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The uid of `nobody`. PostgreSQL refuses to run as root and needs no user of its own. */
export const UNPRIVILEGED = 65_534
const DROP_PRIVILEGES = [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, '--clear-groups']
export const isRoot = process.getuid?.() === 0

/** Runs a command as the current user or, if that is root, as nobody. */
export const asUnprivilegedUser = (command: string, args: string[]): [string, string[]] =>
  isRoot ? ['setpriv', [...DROP_PRIVILEGES, command, ...args]] : [command, args]

/**
 * The real location of a data folder. If we are root and the checkout is closed to others (under /root, or in a fresh
 * `mktemp -d`), `nobody` cannot reach it. Then a substitute folder is used that everybody can reach.
 */
export async function resolveDataFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  if (!isRoot || (await canUnprivilegedUserReach(folder))) return folder
  const place = substituteFolder(createHash('sha256').update(folder).digest('hex').slice(0, 16))
  await mkdir(place, { recursive: true })
  await checkFolderOwner(place)
  return place
}

export const substituteFolder = (name: string): string => join('/var/tmp', `lode-${name}`)

/** Another user could have created a folder of that name and put programs into it for us to run. */
export async function checkFolderOwner(place: string): Promise<void> {
  const { uid } = await lstat(place)
  if (uid !== 0 && uid !== UNPRIVILEGED) throw new Error(`${place} belongs to somebody else`)
}

export const canUnprivilegedUserReach = (path: string): Promise<boolean> =>
  run('setpriv', [...DROP_PRIVILEGES, 'test', '-x', path]).then(
    () => true,
    () => false,
  )
