import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DevelopmentContracts, deployDevelopment } from '@lode/contracts/dev/deploy'
import { startAnvil } from '@lode/scripts/anvil'
import { operatorsIn } from '@lode/scripts/operators'
import { startPostgres } from '@lode/scripts/postgres'
import { freePort } from '@lode/scripts/process'
import {
  createRoot,
  examplePlan,
  lode,
  ourHelp,
  roleUrl,
  type ServerSettings,
  startApi,
  startSigner,
  startWorker,
} from '@lode/scripts/server'
import pg from 'pg'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'

/** Where the run's stack is to be found; every test worker reads it from its environment. */
export type BrowserStack = {
  readonly origin: string
  readonly ownerUrl: string
  /** As the processes connect, to do in a test what only they may. */
  readonly roleUrls: { readonly api: string; readonly worker: string }
  readonly chain: { readonly rpcUrl: string; readonly chainId: number }
  readonly contracts: Omit<DevelopmentContracts, 'firstBlock' | 'chainId'>
  /** The invitation code of the pool's first member, under whom the tests register theirs. */
  readonly rootCode: string
  /** The web app that is handed out: the build of the run's beginning. */
  readonly webRoot: string
  /** With the keys of its two operators, who published the example plan. */
  readonly operatorsFolder: string
  /** What every stack's database is a copy of. */
  readonly pool: NewPool
}

/** The database of a pool on the first day: migrated, with its articles, its first member, its operators and their plan. */
type NewPool = {
  readonly postgresUrl: string
  readonly template: string
  readonly rootCode: string
  readonly operatorsFolder: string
  /** Which its plan was published for. Every new development chain has them in the same places. */
  readonly vault: string
}

const VARIABLE = 'LODE_BROWSER_STACK'

export const publish = (stack: BrowserStack): void => {
  process.env[VARIABLE] = JSON.stringify(stack)
}

export function publishedStack(): BrowserStack {
  const text = process.env[VARIABLE]
  if (!text) throw new Error('The stack is started by the global setup of the browser tests')
  return JSON.parse(text) as BrowserStack
}

const PASSWORD = 'of-this-run-only'

/** Made once for a run: it takes nine runs of the command line. */
export async function makeNewPool(): Promise<{ pool: NewPool; stop(): Promise<void> }> {
  const [database, chain] = await Promise.all([startPostgres({ durable: false }), startAnvil()])
  const operatorsFolder = await mkdtemp(join(tmpdir(), 'lode-operators-'))
  const stop = async () => {
    await database.stop('SIGQUIT')
    await rm(operatorsFolder, { recursive: true, force: true })
  }
  try {
    const contracts = await deployDevelopment({ rpcUrl: chain.rpcUrl })
    const [postgresUrl, template] = [database.url(), 'new_pool']
    await asSuperuser(postgresUrl, `create database ${template}`)
    const ownerUrl = database.url(template)
    await lode(ownerUrl, ['migrate', '--role-password', PASSWORD])
    const operators = operatorsIn(operatorsFolder, {
      ...{ profile: 'test', ownerUrl, contracts, chain: { id: chain.chainId } },
    })
    const [rootCode] = await Promise.all([
      createRoot(ownerUrl, privateKeyToAddress(generatePrivateKey())),
      lode(ownerUrl, ['help', 'import', ourHelp]),
      operators.appoint().then(() => operators.publish(examplePlan)),
    ])
    return { pool: { postgresUrl, template, rootCode, operatorsFolder, vault: contracts.vault }, stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    await chain.stop()
  }
}

async function asSuperuser(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function databaseAt(url: string, name: string): string {
  const at = new URL(url)
  at.pathname = `/${name}`
  return at.href
}

type Options = {
  /** Where the node is to be reached, when it is known: a test may stand in between. */
  readonly nodeAt?: (rpcUrl: string) => Promise<string>
  readonly also?: Readonly<Record<string, string>>
}

/** The real thing, all of it: PostgreSQL, a chain node, and the server handing out the production build of the web app. */
export async function startBrowserStack(
  webRoot: string,
  pool: NewPool,
  { nodeAt = async (rpcUrl) => rpcUrl, also = {} }: Options = {},
): Promise<{ stack: BrowserStack; stop(): Promise<void> }> {
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const each of stops.toReversed()) await each()
  }
  try {
    const chain = await startAnvil()
    stops.push(() => chain.stop())
    const contracts = await deployDevelopment({ rpcUrl: chain.rpcUrl })
    if (contracts.vault !== pool.vault) throw new Error('the plan was published for another vault')
    const rpcUrl = await nodeAt(chain.rpcUrl)
    const name = `stack_${randomBytes(6).toString('hex')}`
    await asSuperuser(pool.postgresUrl, `create database ${name} template ${pool.template}`)
    const ownerUrl = databaseAt(pool.postgresUrl, name)
    const apiPort = await freePort()
    const origin = `http://127.0.0.1:${apiPort}`
    const settings: ServerSettings = {
      profile: 'test',
      ownerUrl,
      rolePassword: PASSWORD,
      chain: { id: chain.chainId, rpcUrl, name: 'Lode Test' },
      contracts,
      apiPort,
      workerPort: await freePort(),
      signerPort: await freePort(),
      publicOrigin: origin,
      nonceSecret: 'a secret of this run only, long enough',
      also: { WEB_ROOT: webRoot, RATE_LIMITS: 'off', LOG_LEVEL: 'error', ...also },
    }
    const starting = await Promise.allSettled([startApi(settings), startWorker(settings), startSigner(settings)])
    for (const each of starting) if (each.status === 'fulfilled') stops.push(() => each.value.stop())
    for (const each of starting) if (each.status === 'rejected') throw each.reason
    const { firstBlock: _, chainId, ...addresses } = contracts
    const roleUrls = {
      api: roleUrl(ownerUrl, 'lode_api', settings.rolePassword),
      worker: roleUrl(ownerUrl, 'lode_worker', settings.rolePassword),
    }
    const places = { origin, ownerUrl, roleUrls, chain: { rpcUrl, chainId }, contracts: addresses }
    const { rootCode, operatorsFolder } = pool
    return { stack: { ...places, rootCode, webRoot, operatorsFolder, pool }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
