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

type Options = {
  /** Where the node is to be reached, when it is known: a test may stand in between. */
  readonly nodeAt?: (rpcUrl: string) => Promise<string>
  readonly also?: Readonly<Record<string, string>>
}

/** The real thing, all of it: PostgreSQL, a chain node, and the server handing out the production build of the web app. */
export async function startBrowserStack(
  webRoot: string,
  { nodeAt = async (rpcUrl) => rpcUrl, also = {} }: Options = {},
): Promise<{ stack: BrowserStack; stop(): Promise<void> }> {
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const each of stops.toReversed()) await each()
  }
  try {
    const [database, chain] = await Promise.all([startPostgres({ durable: false }), startAnvil()])
    stops.push(
      () => database.stop('SIGQUIT'),
      () => chain.stop(),
    )

    const contracts = await deployDevelopment({ rpcUrl: chain.rpcUrl })
    const rpcUrl = await nodeAt(chain.rpcUrl)
    const ownerUrl = database.url('lode')
    const client = new pg.Client({ connectionString: database.url() })
    await client.connect()
    await client.query('CREATE DATABASE lode')
    await client.end()
    const apiPort = await freePort()
    const origin = `http://127.0.0.1:${apiPort}`
    const settings: ServerSettings = {
      profile: 'test',
      ownerUrl,
      rolePassword: 'of-this-run-only',
      chain: { id: chain.chainId, rpcUrl, name: 'Lode Test' },
      contracts,
      apiPort,
      workerPort: await freePort(),
      signerPort: await freePort(),
      publicOrigin: origin,
      nonceSecret: 'a secret of this run only, long enough',
      also: { WEB_ROOT: webRoot, RATE_LIMITS: 'off', LOG_LEVEL: 'error', ...also },
    }
    await lode(ownerUrl, ['migrate', '--role-password', settings.rolePassword])
    await lode(ownerUrl, ['help', 'import', ourHelp])
    const rootCode = await createRoot(ownerUrl, privateKeyToAddress(generatePrivateKey()))
    const operatorsFolder = await mkdtemp(join(tmpdir(), 'lode-operators-'))
    stops.push(() => rm(operatorsFolder, { recursive: true, force: true }))
    const operators = operatorsIn(operatorsFolder, settings)
    const published = operators.appoint().then(() => operators.publish(examplePlan))
    // Looked at below; until then a failure of it must not end the process.
    const settled = published.catch(() => {})
    stops.push(() => settled)
    const api = await startApi(settings)
    stops.push(() => api.stop())
    const worker = await startWorker(settings)
    stops.push(() => worker.stop())
    const signer = await startSigner(settings)
    stops.push(() => signer.stop())
    await published
    const { firstBlock: _, chainId, ...addresses } = contracts
    const roleUrls = {
      api: roleUrl(ownerUrl, 'lode_api', settings.rolePassword),
      worker: roleUrl(ownerUrl, 'lode_worker', settings.rolePassword),
    }
    const places = { origin, ownerUrl, roleUrls, chain: { rpcUrl, chainId }, contracts: addresses }
    return { stack: { ...places, rootCode, webRoot, operatorsFolder }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
