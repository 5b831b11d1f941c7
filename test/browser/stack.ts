import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DevelopmentContracts, deployDevelopment } from '@lode/contracts/dev/deploy'
import { startAnvil } from '@lode/scripts/anvil'
import { freePort } from '@lode/scripts/process'
import { roleUrl, type ServerSettings, startApi, startSigner, startWorker } from '@lode/scripts/server'
import { copyTemplateDatabase, dropTemplateCopy, type StackTemplate } from './stack-template.ts'

/** The addresses of the run's stack. Every test worker reads them from its environment. */
export type BrowserStack = {
  readonly origin: string
  /** Where the worker serves its metrics. */
  readonly workerUrl: string
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
  /** What further stacks of the run start from. A cluster has none: all tests of the run use it. */
  readonly template: StackTemplate | null
}

const VARIABLE = 'LODE_BROWSER_STACK'

export const publishStack = (stack: BrowserStack): void => {
  process.env[VARIABLE] = JSON.stringify(stack)
}

export function readPublishedStack(): BrowserStack {
  const text = process.env[VARIABLE]
  if (!text) throw new Error('The stack is started by the global setup of the browser tests')
  return JSON.parse(text) as BrowserStack
}

type Options = {
  /** Returns the URL under which the server reaches the node, so that a test can put a proxy between them. */
  readonly proxyNode?: (rpcUrl: string) => Promise<string>
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts a real stack: PostgreSQL, a chain node, and the server with the production build of the web app. */
export async function startBrowserStack(
  webRoot: string,
  template: StackTemplate,
  { proxyNode = async (rpcUrl) => rpcUrl, environment = {} }: Options = {},
): Promise<{ stack: BrowserStack; stop(): Promise<void> }> {
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const each of stops.toReversed()) await each()
  }
  try {
    const database = `lode_${randomBytes(4).toString('hex')}`
    const [ownerUrl, chain] = await Promise.all([copyTemplateDatabase(template, database), startAnvil()])
    stops.push(
      () => dropTemplateCopy(template, database),
      () => chain.stop(),
    )
    const operatorsFolder = await mkdtemp(join(tmpdir(), 'lode-operators-'))
    stops.push(() => rm(operatorsFolder, { recursive: true, force: true }))
    await cp(template.operatorsFolder, operatorsFolder, { recursive: true })

    const contracts = await deployDevelopment({ rpcUrl: chain.rpcUrl })
    if (contracts.vault !== template.vault)
      throw new Error('The contracts have other addresses than those that the operators signed')
    const rpcUrl = await proxyNode(chain.rpcUrl)
    const apiPort = await freePort()
    const origin = `http://127.0.0.1:${apiPort}`
    const workerPort = await freePort()
    const { rolePassword, rootCode, ceremony } = template
    const settings: ServerSettings = {
      profile: 'test',
      ownerUrl,
      rolePassword,
      contracts,
      apiPort,
      ceremony,
      journal: join(operatorsFolder, 'signer.journal'),
      chain: { id: chain.chainId, rpcUrl, name: 'Lode Test' },
      workerPort,
      signerPort: await freePort(),
      publicOrigin: origin,
      nonceSecret: 'a secret of this run only, long enough',
      extraEnvironment: { WEB_ROOT: webRoot, RATE_LIMITS: 'off', LOG_LEVEL: 'error', ...environment },
    }
    const processes = await Promise.allSettled([startApi(settings), startWorker(settings), startSigner(settings)])
    for (const started of processes) if (started.status === 'fulfilled') stops.push(() => started.value.stop())
    for (const started of processes) if (started.status === 'rejected') throw started.reason

    const { firstBlock: _, chainId, ...addresses } = contracts
    const roleUrls = {
      api: roleUrl(ownerUrl, 'lode_api', rolePassword),
      worker: roleUrl(ownerUrl, 'lode_worker', rolePassword),
    }
    const workerUrl = `http://127.0.0.1:${workerPort}`
    const places = { origin, workerUrl, ownerUrl, roleUrls, chain: { rpcUrl, chainId }, contracts: addresses }
    return { stack: { ...places, rootCode, webRoot, operatorsFolder, template }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
