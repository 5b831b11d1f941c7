import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DevelopmentContracts, deployDevelopment } from '@lode/contracts/dev/deploy'
import pg from 'pg'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type Anvil, startAnvil } from '../stack/anvil.ts'
import { createStackOperators, type StackOperators } from '../stack/operators.ts'
import { answersOk, startProcess } from '../stack/process.ts'
import {
  createFirstMember,
  examplePlanFile,
  helpFolder,
  runLode,
  type ServerSettings,
  startApi,
  startSigner,
  startWorker,
} from '../stack/server.ts'
import { waitForAll } from '../stack/wait-for-all.ts'
import { ensureWebBuild } from '../stack/web-build.ts'
import { makeCertificate } from './certificate.ts'
import { type DatabaseCluster, type KeptStart, type Passwords, startDatabaseCluster } from './database-cluster.ts'
import { type KeptProcess, keepRunning } from './keep-running.ts'
import { startMonitoring } from './monitoring.ts'
import { type ClusterPorts, chooseClusterPorts } from './ports.ts'
import { writeSettings } from './settings-file.ts'

export type Cluster = {
  readonly folder: string
  readonly ports: ClusterPorts
  /** Where members open the app. */
  readonly origin: string
  /** The file with the certificate of `origin`, for programs that shall trust it. */
  readonly certificate: string
  /** The database's owner, on whichever node is the primary. */
  readonly ownerUrl: string
  /** Of the two sets of processes. */
  readonly settings: readonly ServerSettings[]
  readonly rootCode: string
  readonly operators: StackOperators
  readonly operatorsFolder: string
  readonly chain: Anvil
  readonly contracts: DevelopmentContracts
  readonly webRoot: string
  readonly database: DatabaseCluster
  /** Everything that is started again when it ends, by its name: `api 1`, `etcd db2`, `redis`. */
  readonly processes: ReadonlyMap<string, KeptProcess>
  stop(): Promise<void>
}

type Options = {
  readonly onStart?: (name: string, pid: number) => void
  readonly blockTimeSeconds?: number
  /** Ends everything, also while it still starts. */
  readonly signal?: AbortSignal
  readonly extraEnvironment?: Readonly<Record<string, string>>
  /** How much sooner alarms ring than `ops/alerts.yaml` says, for tests that wait for them. 1 unless it is set. */
  readonly alarmSpeed?: number
}

/**
 * The pool as a company runs it, on one machine and on loopback: three nodes of PostgreSQL under Patroni and etcd, a
 * proxy, Redis, two processes each of api, worker and signer, Prometheus with Alertmanager and the figures of the host.
 * Their settings are the files in `ops/`. All data are of this run only.
 */
export async function startCluster(options: Options = {}): Promise<Cluster> {
  const started = await Started.begin(options)
  try {
    const below = await startWhatThePoolNeeds(started, options)
    const pool = await preparePool(started, below, options)
    await startProcesses(started, pool)
    await startMonitoring(started, options)
    const { folder, ports, processes, stop } = started
    return { ...below, ...pool, folder, ports, processes, stop }
  } catch (error) {
    await started.stop()
    throw error
  }
}

export type ClusterDatabase = Pick<Cluster, 'database' | 'ports' | 'stop'> & {
  /** The owner's URL of one database, on whichever node is the primary. */
  ownerUrl(name: string): string
}

/** Only the nodes of PostgreSQL and the proxy before them, for a simulation that brings its own pool. */
export async function startClusterDatabase(): Promise<ClusterDatabase> {
  const started = await Started.begin({})
  try {
    const passwords = choosePasswords()
    const [database] = await waitForAll([startDatabases(started, passwords), startProxy(started)])
    const { ports, stop } = started
    return { database, ports, stop, ownerUrl: (name) => primaryUrl(started, passwords, name) }
  } catch (error) {
    await started.stop()
    throw error
  }
}

/** Everything that this run has started, to be stopped in the opposite order. */
class Started {
  readonly folder: string
  readonly ports: ClusterPorts
  readonly onStart: (name: string, pid: number) => void
  readonly processes = new Map<string, KeptProcess>()
  readonly #stops: (() => Promise<void>)[]
  #stopping: Promise<void> | null = null

  private constructor(folder: string, ports: ClusterPorts, onStart: Started['onStart']) {
    this.folder = folder
    this.ports = ports
    this.onStart = onStart
    this.#stops = [() => rm(folder, { recursive: true, force: true })]
  }

  static async begin({ onStart = () => {}, signal }: Options): Promise<Started> {
    const folder = await mkdtemp(join(tmpdir(), 'lode-cluster-'))
    // PostgreSQL runs as another user, in folders of its own below.
    await chmod(folder, 0o711)
    const started = new Started(folder, await chooseClusterPorts(), onStart)
    signal?.addEventListener('abort', () => void started.stop())
    return started
  }

  /** Adds something to what is done at the end. What was added last is done first. */
  readonly keepStop = (stop: () => Promise<void>): void => {
    if (this.#stopping) this.#stopping = this.#stopping.then(stop)
    else this.#stops.push(stop)
  }

  /** Starts processes that are kept running, and waits until all are ready. They are stopped together. */
  readonly keepAll = async (starts: readonly KeptStart[]): Promise<void> => {
    const all = starts.map(([name, start]) => keepRunning(name, start, this.onStart))
    this.keepStop(async () => void (await Promise.all(all.map((one) => one.stop()))))
    for (const one of all) this.processes.set(one.name, one)
    await waitForAll(all.map((one) => one.started))
  }

  readonly keep = (...start: KeptStart): Promise<void> => this.keepAll([start])

  readonly stop = async (): Promise<void> => {
    this.#stopping ??= this.#stopAll()
    await this.#stopping
  }

  async #stopAll(): Promise<void> {
    for (const stop of this.#stops.toReversed()) await stop().catch(() => {})
  }
}

type Below = Pick<Cluster, 'chain' | 'webRoot' | 'database' | 'certificate' | 'ownerUrl'>

async function startWhatThePoolNeeds(started: Started, { blockTimeSeconds }: Options): Promise<Below> {
  const { ports } = started
  const passwords = choosePasswords()
  const [chain, webRoot, database, certificate] = await waitForAll([
    startChain(started, blockTimeSeconds),
    ensureWebBuild(),
    startDatabases(started, passwords),
    startProxy(started),
    started.keep('redis', (signal) => startRedis(ports.redis, signal)),
  ])
  await createDatabase(primaryUrl(started, passwords, 'postgres'))
  return { chain, webRoot, database, certificate, ownerUrl: primaryUrl(started, passwords, 'lode') }
}

async function startChain({ keepStop, onStart }: Started, blockTimeSeconds: number | undefined): Promise<Anvil> {
  const chain = await startAnvil(blockTimeSeconds === undefined ? {} : { blockTimeSeconds })
  keepStop(() => chain.stop())
  onStart('chain', chain.pid)
  return chain
}

async function startDatabases(
  { folder, ports, keepAll, keepStop }: Started,
  passwords: Passwords,
): Promise<DatabaseCluster> {
  const place = join(folder, 'database')
  const database = await startDatabaseCluster({ folder: place, ports, passwords, keepAll, keepStop })
  await database.backup(await database.primary(), 'stanza-create')
  return database
}

type PreparedPool = Pick<Cluster, 'origin' | 'contracts' | 'settings' | 'rootCode' | 'operators' | 'operatorsFolder'>

/** The contracts, the tables, the first member, and two operators with their plan. */
async function preparePool(started: Started, below: Below, { extraEnvironment }: Options): Promise<PreparedPool> {
  const { folder, ports } = started
  const { chain, ownerUrl, webRoot } = below
  const contracts = await deployDevelopment({ rpcUrl: chain.rpcUrl })
  const rolePassword = randomPassword()
  await runLode(ownerUrl, ['migrate', '--role-password', rolePassword])
  const origin = `https://127.0.0.1:${ports.https}`
  const operatorsFolder = join(folder, 'operators')
  const pool = {
    profile: 'test',
    ownerUrl,
    rolePassword,
    chain: { id: chain.chainId, rpcUrl: chain.rpcUrl, name: 'Lode Cluster' },
    contracts,
  } as const
  const operators = createStackOperators(operatorsFolder, pool)
  const [rootCode, ceremony] = await waitForAll([
    createFirstMember(ownerUrl, privateKeyToAddress(generatePrivateKey())),
    operators.appoint(),
    runLode(ownerUrl, ['help', 'import', helpFolder]),
  ])
  await operators.publish(examplePlanFile)
  const settings = [0, 1].map(
    (place): ServerSettings => ({
      ...pool,
      apiPort: ports.apis[place] ?? 0,
      workerPort: ports.workers[place] ?? 0,
      signerPort: ports.signers[place] ?? 0,
      ceremony,
      journal: join(folder, `signer-${place + 1}.journal`),
      publicOrigin: origin,
      nonceSecret: NONCE_SECRET,
      extraEnvironment: {
        WEB_ROOT: webRoot,
        REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
        TRUSTED_PROXIES: '127.0.0.1',
        LOG_LEVEL: 'warn',
        ...extraEnvironment,
      },
    }),
  )
  return { origin, contracts, settings, rootCode, operators, operatorsFolder }
}

async function startProcesses(started: Started, { settings }: PreparedPool): Promise<void> {
  await waitForAll(
    settings.flatMap((one, place) => [
      started.keep(`api ${place + 1}`, (signal) => startApi(one, { signal })),
      started.keep(`worker ${place + 1}`, (signal) => startWorker(one, { signal })),
      started.keep(`signer ${place + 1}`, (signal) => startSigner(one, { signal })),
    ]),
  )
}

/** The same for both apis: each accepts what the other gave a member to sign. */
const NONCE_SECRET = randomBytes(32).toString('hex')

const choosePasswords = (): Passwords => ({
  superuser: randomPassword(),
  replication: randomPassword(),
  rewind: randomPassword(),
})

const primaryUrl = ({ ports }: Started, { superuser }: Passwords, database: string): string =>
  `postgres://postgres:${superuser}@127.0.0.1:${ports.primary}/${database}`

const randomPassword = (): string => randomBytes(16).toString('hex')

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('create database lode')
  } finally {
    await client.end()
  }
}

const startRedis = (port: number, signal: AbortSignal) =>
  startProcess({
    name: 'redis',
    command: 'redis-server',
    args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    ready: async () => true,
    signal,
  })

/** Returns the file with its certificate. */
async function startProxy({ folder, ports, keep }: Started): Promise<string> {
  const certificate = await makeCertificate(folder)
  const file = join(folder, 'haproxy.cfg')
  const values = {
    ADDRESS: '127.0.0.1',
    PUBLIC_ADDRESS: '127.0.0.1',
    PRIMARY_PORT: ports.primary,
    STANDBY_PORT: ports.standbys,
    HTTPS_PORT: ports.https,
    PROXY_FIGURES_PORT: ports.proxyFigures,
    PROXY_CONNECTIONS: 4_000,
    CERTIFICATE: certificate.server,
    DATABASE_SERVERS: ports.nodes
      .map(({ node, postgres, patroni }) => `  server ${node} 127.0.0.1:${postgres} check port ${patroni}`)
      .join('\n'),
    API_SERVERS: ports.apis.map((port, place) => `  server api${place + 1} 127.0.0.1:${port} check`).join('\n'),
  }
  writeSettings('haproxy.cfg', values, file)
  await keep('proxy', (signal) =>
    startProcess({
      name: 'proxy',
      command: 'haproxy',
      args: ['-f', file, '-db'],
      ready: () => answersOk(`http://127.0.0.1:${ports.proxyFigures}/metrics`),
      signal,
    }),
  )
  return certificate.trusted
}
