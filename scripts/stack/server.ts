import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DevelopmentContracts, developmentKeys } from '@lode/contracts/dev/deploy'
import { answersOk, type RunningProcess, startProcess } from './process.ts'
import { defaultServerFolder, findBundledProcess } from './server-bundle.ts'

const run = promisify(execFile)

/** The settings of the server processes. Each process gets its own database role. */
export type ServerSettings = {
  readonly profile: 'development' | 'test'
  /** The URL of the database's owner, who migrates. The processes never get it. */
  readonly ownerUrl: string
  readonly rolePassword: string
  readonly chain: { readonly id: number; readonly rpcUrl: string; readonly name: string }
  readonly contracts: DeployedContracts
  readonly apiPort: number
  readonly workerPort: number
  readonly signerPort: number
  /** The default is the key of the development chain. Only the signer gets it. */
  readonly payerKey?: `0x${string}`
  /**
   * The hash of the operators' ceremony, which the signer pins. A signer without it obeys no approval and no resume.
   */
  readonly ceremony?: string
  /** The file of the signer's journal. It belongs to the database: a new database needs a new journal. */
  readonly journal?: string
  /** The default is the key of the development chain. Only the api gets it. */
  readonly quoteKey?: `0x${string}`
  readonly publicOrigin: string
  readonly nonceSecret: string
  /** Further environment variables, such as WEB_ROOT or LOG_LEVEL. */
  readonly extraEnvironment?: Readonly<Record<string, string>>
  /** Another apps/server folder: a broken build. */
  readonly serverFolder?: string | undefined
}

/** The addresses of the pool's contracts, as `deployDevelopment` returns them. */
export type DeployedContracts = Pick<
  DevelopmentContracts,
  'vault' | 'usdt' | 'btn' | 'btc' | 'btcPriceFeed' | 'btnPriceFeed'
> & { readonly firstBlock: bigint | number }

type StartOptions = {
  /** Runs the sources instead of a bundle, and restarts the process when one of them changes. */
  readonly watch?: boolean
  readonly onLine?: (line: string) => void
  readonly signal?: AbortSignal
}

/** Runs the command line as the database's owner and returns its output. */
export async function runLode(
  ownerUrl: string,
  args: readonly string[],
  serverFolder?: string,
  also: Readonly<Record<string, string>> = {},
): Promise<string> {
  const lode = findBundledProcess('lode', serverFolder)
  const profile = process.env.LODE_PROFILE ?? 'development'
  const { stdout } = await run(process.execPath, [lode.file, ...args], {
    env: { ...process.env, ...lode.environment, LODE_PROFILE: profile, DATABASE_URL: ownerUrl, ...also },
    // An audit of a large ledger on a busy machine is slow.
    timeout: 300_000,
  })
  return stdout.trim()
}

/** Creates the pool's first member, who has no inviter. Returns its invitation code. */
export async function createFirstMember(ownerUrl: string, address: string, serverFolder?: string): Promise<string> {
  const printed = await runLode(ownerUrl, ['root', 'create', address], serverFolder)
  const code = /\b[0-9A-HJKMNP-TV-Z]{8}\b/.exec(printed)?.[0]
  if (!code) throw new Error(`lode root create printed no invitation code: ${printed}`)
  return code
}

export const startApi = (settings: ServerSettings, watching: StartOptions = {}): Promise<RunningProcess> =>
  startServer('api', 'lode_api', `http://127.0.0.1:${settings.apiPort}/readyz`, settings, watching, {
    QUOTE_KEY: settings.quoteKey ?? developmentKeys().quoteSigner,
  })

export const startWorker = (settings: ServerSettings, watching: StartOptions = {}): Promise<RunningProcess> =>
  startServer('worker', 'lode_worker', `http://127.0.0.1:${settings.workerPort}/readyz`, settings, watching)

/**
 * Starts the only process that gets the payer's key. It counts as started once it runs: what keeps it from paying may
 * last for days.
 */
export const startSigner = (settings: ServerSettings, watching: StartOptions = {}): Promise<RunningProcess> =>
  startServer('signer', 'lode_signer', `http://127.0.0.1:${settings.signerPort}/healthz`, settings, watching, {
    SIGNER_PORT: String(settings.signerPort),
    PAYER_KEY: settings.payerKey ?? developmentKeys().payer,
    SIGNER_DAY_CAP: 'USDT:400000,BTN:40000000,BTC:16',
    SIGNER_POLL_MS: '250',
    ...(settings.journal !== undefined && { SIGNER_JOURNAL: settings.journal }),
    ...(settings.ceremony !== undefined && { OPERATORS_CEREMONY: settings.ceremony }),
  })

function startServer(
  name: 'api' | 'worker' | 'signer',
  role: string,
  readyUrl: string,
  settings: ServerSettings,
  { watch = false, onLine, signal }: StartOptions,
  own: Readonly<Record<string, string>> = {},
): Promise<RunningProcess> {
  let failed = false
  const bundled = watch ? null : findBundledProcess(name, settings.serverFolder)
  const source = join(settings.serverFolder ?? defaultServerFolder, 'src/processes', `${name}.ts`)
  return startProcess({
    name,
    command: process.execPath,
    args: bundled ? [bundled.file] : ['--watch', '--watch-preserve-output', source],
    env: {
      ...process.env,
      ...bundled?.environment,
      ...own,
      ...buildEnvironment(settings),
      DATABASE_URL: roleUrl(settings.ownerUrl, role, settings.rolePassword),
    },
    ready: () => answersOk(readyUrl),
    // A watched process that fails waits for its sources to change, so waiting for it would never end.
    failed: () => failed,
    signal,
    onLine: (line) => {
      if (watch && line.startsWith('Failed running')) failed = true
      onLine?.(line)
    },
  })
}

/** The example plan of every development and test stack. */
export const examplePlanFile = join(defaultServerFolder, 'plans/example.json')

/** The help articles that come with the app. */
export const helpFolder = join(defaultServerFolder, 'help')

function buildEnvironment(settings: ServerSettings): Record<string, string> {
  const { chain } = settings
  return {
    LODE_PROFILE: settings.profile,
    CHAIN_ID: String(chain.id),
    CHAIN_RPC_URL: chain.rpcUrl,
    CHAIN_NAME: chain.name,
    ...contractVariablesOf(settings.contracts),
    // On a development chain nothing updates the prices.
    PRICE_MAX_AGE_SECONDS: String(10 * 365 * 86_400),
    CHAIN_FINALITY_MINUTES: '1',
    CHAIN_POLL_MS: '250',
    API_HOST: '127.0.0.1',
    API_PORT: String(settings.apiPort),
    WORKER_PORT: String(settings.workerPort),
    PUBLIC_ORIGIN: settings.publicOrigin,
    NONCE_SECRET: settings.nonceSecret,
    ...settings.extraEnvironment,
  }
}

/** The contract addresses as environment variables of the server. */
export const contractVariablesOf = (contracts: DeployedContracts): Record<string, string> => ({
  VAULT_ADDRESS: contracts.vault,
  VAULT_FIRST_BLOCK: String(contracts.firstBlock),
  USDT_ADDRESS: contracts.usdt,
  BTN_ADDRESS: contracts.btn,
  BTC_ADDRESS: contracts.btc,
  BTC_PRICE_FEED: contracts.btcPriceFeed,
  BTN_PRICE_FEED: contracts.btnPriceFeed,
})

export function roleUrl(ownerUrl: string, role: string, password: string): string {
  const url = new URL(ownerUrl)
  url.username = role
  url.password = password
  return url.href
}
