import { execFile } from 'node:child_process'
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type RunningProcess, startProcess } from '../stack/process.ts'
import { asUnprivilegedUser, isRoot, UNPRIVILEGED } from '../stack/unprivileged-user.ts'
import type { keepRunning } from './keep-running.ts'
import type { ClusterPorts, DatabaseNode } from './ports.ts'
import { opsFolder, writeSettings } from './settings-file.ts'

const run = promisify(execFile)

const POSTGRES_BIN = '/usr/lib/postgresql/15/bin'

/** Until all members of etcd, and then a primary and a synchronous standby, are there. */
const START_TIMEOUT_MS = 60_000

export type KeptStart = readonly [name: string, start: Parameters<typeof keepRunning>[1]]

export type Passwords = { readonly superuser: string; readonly replication: string; readonly rewind: string }

type Options = {
  readonly folder: string
  readonly ports: ClusterPorts
  readonly passwords: Passwords
  /** Starts processes that are kept running, and waits until all are ready. */
  readonly keepAll: (starts: readonly KeptStart[]) => Promise<void>
  /** Adds something to what is done at the end. What was added last is done first. */
  readonly keepStop: (stop: () => Promise<void>) => void
}

export type DatabaseCluster = {
  /** What Patroni of one node says of the whole cluster. */
  members(): Promise<readonly ClusterMember[]>
  /** The node that is the primary. Throws if there is none. */
  primary(): Promise<string>
  /** The process id of PostgreSQL on a node. Throws if it does not run. */
  postgresPid(node: string): Promise<number>
  /** Runs pgBackRest with the settings of a node. */
  backup(node: string, ...args: readonly string[]): Promise<string>
  /** Restores the newest backup of a moment to a database of its own, beside the cluster. */
  restoreElsewhere(node: string, port: number, moment: Date): Promise<RestoredDatabase>
}

type RestoredDatabase = {
  /** What the script printed: how long it took. */
  readonly printed: string
  stop(): Promise<void>
}

type ClusterMember = { readonly name: string; readonly role: string; readonly state: string }

/** Three members of etcd, and three nodes of PostgreSQL under Patroni. */
export async function startDatabaseCluster({
  folder,
  ports,
  passwords,
  keepAll,
  keepStop,
}: Options): Promise<DatabaseCluster> {
  const folderOf = (node: string) => join(folder, node)
  await writeNodeFolders(folder, ports, passwords)
  keepStop(() => endPostgres(ports.nodes.map(({ node }) => folderOf(node))))
  await keepAll(
    ports.nodes.map((node) => [
      `etcd ${node.node}`,
      (signal) =>
        startUnprivileged(
          `etcd ${node.node}`,
          ['etcd', '--config-file', join(folderOf(node.node), 'etcd.yaml')],
          () => answersWith(`http://127.0.0.1:${node.etcd}/health`, (text) => text.includes('"true"')),
          signal,
        ),
    ]),
  )
  await keepAll(
    ports.nodes.map((node) => [
      `patroni ${node.node}`,
      (signal) =>
        startUnprivileged(
          `patroni ${node.node}`,
          ['patroni', join(folderOf(node.node), 'patroni.yaml')],
          () => answersWith(`http://127.0.0.1:${node.patroni}/readiness`),
          signal,
        ),
    ]),
  )
  const members = async () => {
    for (const { patroni: port } of ports.nodes) {
      const response = await fetch(`http://127.0.0.1:${port}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => null,
      )
      if (response?.ok) return ((await response.json()) as { members: ClusterMember[] }).members
    }
    return []
  }
  return {
    members,
    async primary() {
      const leader = (await members()).find(({ role }) => role === 'leader')
      if (!leader) throw new Error('No node is the primary')
      return leader.name
    },
    postgresPid: async (node) =>
      Number((await readFile(join(folderOf(node), 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]),
    async backup(node, ...args) {
      const settings = join(folderOf(node), 'pgbackrest.conf')
      const { stdout } = await runUnprivileged('pgbackrest', [`--config=${settings}`, '--stanza=lode', ...args], {
        PGPASSFILE: join(folderOf(node), 'superuser.pgpass'),
      })
      return stdout
    },
    async restoreElsewhere(node, port, moment) {
      const target = join(folder, `restored-${port}`)
      await makeFolder(target)
      const settings = join(folderOf(node), 'pgbackrest.conf')
      const time = moment.toISOString().replace('T', ' ').replace('Z', '+00')
      const script = join(opsFolder, 'restore-elsewhere.sh')
      const { stdout } = await runUnprivileged('sh', [script, settings, target, String(port), time])
      return {
        printed: stdout.split('\n').findLast((line) => line.startsWith('copied')) ?? stdout,
        async stop() {
          await runUnprivileged(join(POSTGRES_BIN, 'pg_ctl'), ['-D', target, '-m', 'immediate', 'stop'])
          await rm(target, { recursive: true, force: true })
        },
      }
    },
  }
}

/** A folder for each node with the settings of its programs, and one for the backups. */
async function writeNodeFolders(folder: string, ports: ClusterPorts, passwords: Passwords): Promise<void> {
  const folderOf = (node: string) => join(folder, node)
  const backups = join(folder, 'backups')
  await makeFolder(folder)
  await makeFolder(backups)
  for (const node of ports.nodes) {
    await makeFolder(folderOf(node.node))
    await makeFolder(join(folderOf(node.node), 'backup-log'))
  }
  for (const node of ports.nodes) {
    const values = { ...valuesOf(node, ports, passwords), DATA: folderOf(node.node), BACKUP: backups }
    for (const name of ['etcd.yaml', 'patroni.yaml', 'pgbackrest.conf'])
      writeSettings(name, values, join(folderOf(node.node), name))
    // pgBackRest reads the password of the superuser here.
    const passwordFile = join(folderOf(node.node), 'superuser.pgpass')
    await writeFile(passwordFile, `*:*:*:postgres:${passwords.superuser}\n`, { mode: 0o600 })
    if (isRoot) await chown(passwordFile, UNPRIVILEGED, UNPRIVILEGED)
  }
}

const valuesOf = (node: DatabaseNode, { nodes }: ClusterPorts, passwords: Passwords) => ({
  NODE: node.node,
  ADDRESS: '127.0.0.1',
  NETWORK: '127.0.0.1/32',
  ETCD_PORT: node.etcd,
  ETCD_PEER_PORT: node.etcdPeer,
  ETCD_MEMBERS: nodes.map((one) => `${one.node}=http://127.0.0.1:${one.etcdPeer}`).join(','),
  ETCD_HOSTS: nodes.map((one) => `127.0.0.1:${one.etcd}`).join(','),
  PATRONI_PORT: node.patroni,
  POSTGRES_PORT: node.postgres,
  SUPERUSER_PASSWORD: passwords.superuser,
  REPLICATION_PASSWORD: passwords.replication,
  REWIND_PASSWORD: passwords.rewind,
})

function runUnprivileged(program: string, rest: string[], environment: Readonly<Record<string, string>> = {}) {
  const [command, args] = asUnprivilegedUser(program, rest)
  return run(command, args, { env: { ...process.env, ...environment }, cwd: '/' })
}

/** A Patroni that had to be killed leaves its PostgreSQL behind. */
async function endPostgres(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const file = await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
    if (file === '') continue
    await runUnprivileged(join(POSTGRES_BIN, 'pg_ctl'), [
      ...['-D', join(folder, 'postgres'), '-m', 'immediate', 'stop'],
    ]).catch(() => {})
  }
}

async function makeFolder(place: string): Promise<void> {
  await mkdir(place, { recursive: true, mode: 0o700 })
  if (isRoot) await chown(place, UNPRIVILEGED, UNPRIVILEGED)
}

function startUnprivileged(
  name: string,
  [program = '', ...rest]: readonly string[],
  ready: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<RunningProcess> {
  const [command, args] = asUnprivilegedUser(program, rest)
  return startProcess({
    name,
    command,
    args,
    cwd: '/',
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: '/nonexistent' },
    ready,
    readyTimeoutMs: START_TIMEOUT_MS,
    signal,
  })
}

/** Whether the address answers with a good status, and with a text that fits. */
export async function answersWith(url: string, fits: (text: string) => boolean = () => true): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(1_000) })
  return response.ok && fits(await response.text())
}
