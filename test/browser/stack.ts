import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DevelopmentContracts, deployDevelopment } from '@lode/contracts/dev/deploy'
import { startAnvil } from '@lode/scripts/anvil'
import { freePort } from '@lode/scripts/process'
import { roleUrl, type ServerSettings, startApi, startSigner, startWorker } from '@lode/scripts/server'
import { copyGround, dropCopy, type Ground } from './ground.ts'

/** The addresses of the run's stack. Every test worker reads them from its environment. */
export type BrowserStack = {
  readonly origin: string
  readonly ownerUrl: string
  /** The URLs of the processes' database roles, for tests that do what only these roles may. */
  readonly roleUrls: { readonly api: string; readonly worker: string }
  readonly chain: { readonly rpcUrl: string; readonly chainId: number }
  readonly contracts: Omit<DevelopmentContracts, 'firstBlock' | 'chainId'>
  /** The invitation code of the pool's first member, below whom the tests register members. */
  readonly rootCode: string
  /** The folder of the served web app: the build from the start of the run. */
  readonly webRoot: string
  /** Contains the keys of the two operators, who published the example plan. */
  readonly operatorsFolder: string
  /** What further stacks of the run start from. */
  readonly ground: Ground
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
  /** Returns the URL under which the server reaches the node, so that a test can put a proxy between them. */
  readonly nodeAt?: (rpcUrl: string) => Promise<string>
  readonly also?: Readonly<Record<string, string>>
}

/** Starts a real stack: PostgreSQL, a chain node, and the server with the production build of the web app. */
export async function startBrowserStack(
  webRoot: string,
  ground: Ground,
  { nodeAt = async (rpcUrl) => rpcUrl, also = {} }: Options = {},
): Promise<{ stack: BrowserStack; stop(): Promise<void> }> {
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const each of stops.toReversed()) await each()
  }
  try {
    const database = `lode_${randomBytes(4).toString('hex')}`
    const [ownerUrl, chain] = await Promise.all([copyGround(ground, database), startAnvil()])
    stops.push(
      () => dropCopy(ground, database),
      () => chain.stop(),
    )
    const operatorsFolder = await mkdtemp(join(tmpdir(), 'lode-operators-'))
    stops.push(() => rm(operatorsFolder, { recursive: true, force: true }))
    await cp(ground.operatorsFolder, operatorsFolder, { recursive: true })

    const contracts = await deployDevelopment({ rpcUrl: chain.rpcUrl })
    if (contracts.vault !== ground.vault) throw new Error('The contracts are elsewhere than the operators signed for')
    const rpcUrl = await nodeAt(chain.rpcUrl)
    const apiPort = await freePort()
    const origin = `http://127.0.0.1:${apiPort}`
    const { rolePassword, rootCode, ceremony } = ground
    const settings: ServerSettings = {
      profile: 'test',
      ownerUrl,
      rolePassword,
      contracts,
      apiPort,
      ceremony,
      chain: { id: chain.chainId, rpcUrl, name: 'Lode Test' },
      workerPort: await freePort(),
      signerPort: await freePort(),
      publicOrigin: origin,
      nonceSecret: 'a secret of this run only, long enough',
      also: { WEB_ROOT: webRoot, RATE_LIMITS: 'off', LOG_LEVEL: 'error', ...also },
    }
    const processes = await Promise.allSettled([startApi(settings), startWorker(settings), startSigner(settings)])
    for (const started of processes) if (started.status === 'fulfilled') stops.push(() => started.value.stop())
    for (const started of processes) if (started.status === 'rejected') throw started.reason

    const { firstBlock: _, chainId, ...addresses } = contracts
    const roleUrls = {
      api: roleUrl(ownerUrl, 'lode_api', rolePassword),
      worker: roleUrl(ownerUrl, 'lode_worker', rolePassword),
    }
    const places = { origin, ownerUrl, roleUrls, chain: { rpcUrl, chainId }, contracts: addresses }
    return { stack: { ...places, rootCode, webRoot, operatorsFolder, ground }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
