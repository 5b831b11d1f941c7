import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import { type Asset, assets, ok, type Result, refused } from '@lode/kernel'
import { type Hex, parseUnits, zeroAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import * as z from 'zod'
import { type NodeAddress, readNodes } from './node-address.ts'
import { contractVariables, type PoolContracts, readPoolContracts } from './pool-contracts.ts'
import { findProductionErrors } from './production-checks.ts'

export type Profile = 'development' | 'test' | 'production'

export type ChainConfig = {
  readonly id: number
  readonly name: string
  /** The nodes at start. `createNodeList` has the present ones. */
  readonly nodes: readonly NodeAddress[]
  /** The file that the nodes were read from; null if they cannot change while the process runs. */
  readonly nodesFile: string | null
  /** Given to a member's wallet that does not know the chain yet. */
  readonly publicRpcUrl: string
  readonly explorerUrl: string | null
  readonly currency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly contracts: PoolContracts
  readonly finality: Finality
  /** How long finality takes, as the app shows it to members. */
  readonly finalityMinutes: number
  /** A price that its feed has not updated for longer than this is not used. */
  readonly priceMaxAgeSeconds: number
  /** Null: the hash counts that the watcher stored when it began the ledger. */
  readonly genesisHash: Hex | null
}

/** Either the chain itself reports finality, or a number of further blocks counts as final. */
export type Finality = { readonly kind: 'finalized' } | { readonly kind: 'depth'; readonly blocks: bigint }

/** Amounts in smallest units. An asset that is not named has no limit. */
type Bounds = { readonly [A in Asset]?: bigint }

export type WatcherConfig = {
  readonly pollMs: number
  /** Nodes must report an impossible state of the chain for at least this long before the watcher stops. */
  readonly stopAfterMs: number
}

/** `closed`: nobody may register, because countries are restricted but no header tells a request's country. */
export type RegistrationPolicy =
  | { readonly kind: 'open' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'by-country'; readonly header: string; readonly restricted: ReadonlySet<string> }

type ProcessConfig = {
  readonly profile: Profile
  readonly databaseUrl: string
  readonly logLevel: z.infer<typeof logLevel>
}

/** The operators accept that a failover may lose the last commits, because there is no synchronous standby. */
type LostCommitsConfig = { readonly databaseMayLoseCommits: boolean }

export type ApiConfig = ProcessConfig &
  LostCommitsConfig & {
    readonly chain: ChainConfig
    readonly host: string
    readonly port: number
    /** The app's address. Sign-in messages contain its domain and URI; these are never taken from a request. */
    readonly publicOrigin: URL
    readonly nonceSecret: string
    /** Signs quotes. A stolen key is of no use: a payment that matches no order is credited to its payer as a deposit. */
    readonly quoteKey: Hex
    readonly webRoot: string | null
    /** Null: files of earlier builds are not kept. */
    readonly webKeptRoot: string | null
    readonly redisUrl: string | null
    readonly trustedProxies: BlockList
    readonly registration: RegistrationPolicy
    /** The most connections of one api process to the database. */
    readonly databaseConnections: number
    readonly rateLimits: boolean
    /** Null: the app does not offer WalletConnect. */
    readonly walletConnect: WalletConnectConfig | null
    /** Where members reach the operators, and where BTN can be had. Null: the app says nothing about it. */
    readonly contactUrl: string | null
    readonly btnSourceUrl: string | null
  }

/** The web app connects to this relay, to reach a wallet on another device. The project id is public. */
type WalletConnectConfig = { readonly projectId: string; readonly relayUrl: string }

/** How far the clocks of database and chain may differ. Null: they are not compared. */
type ClockConfig = { readonly clockMaxDifferenceMs: number | null }

export type WorkerConfig = ProcessConfig &
  ClockConfig & {
    readonly host: string
    readonly port: number
    readonly chain: ChainConfig
    readonly watcher: WatcherConfig
    /** Asked for the Bitcoin outputs that fundings name. Null: they are not looked for. */
    readonly bitcoinNodeUrl: URL | null
  }

/** The signer's key and its limits. */
export type PayerConfig = {
  readonly key: Hex
  /** The most of each asset that the signer signs for in any 24 hours, even if the vault would allow more. */
  readonly dayCap: Bounds
  readonly pollMs: number
  /** If a chain transaction is in no block after this time, the signer sends it again with a higher fee. */
  readonly stuckAfterMs: number
  /** In the smallest unit of the chain's own currency, for one unit of gas. */
  readonly maxFee: bigint
  /** The file in which the signer lists what it sends. Null: it keeps no journal, which production refuses. */
  readonly journal: string | null
}

export type SignerConfig = ProcessConfig &
  LostCommitsConfig &
  ClockConfig & {
    readonly host: string
    readonly port: number
    readonly chain: ChainConfig
    /** The app's address. The signer accepts only output addresses that a wallet signed for this site. */
    readonly publicOrigin: URL
    readonly payer: PayerConfig
    /** The hash of the operator link that the signer pins. If it is null, the signer obeys no approval and no resume. */
    readonly ceremony: Hex | null
  }

/** For the commands that only the owner of the database may run. */
export type OwnerConfig = Pick<ProcessConfig, 'profile' | 'databaseUrl'>

/** For the operators' commands, which may connect as `lode_operator`. Their decisions name one pool on one chain. */
export type OperatorConfig = OwnerConfig & {
  readonly chainId: number
  readonly contracts: PoolContracts
  readonly finality: Finality
}

/** For the commands that only ask the chain. They work while the database is down. */
export type VaultConfig = Omit<OperatorConfig, 'databaseUrl'>

export type Environment = Readonly<Record<string, string | undefined>>

const logLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
const port = z.coerce.number().int().min(0).max(65_535)
const httpUrl = z.url({ protocol: /^https?$/ })
const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)

const nodeList = z.string().transform((text, context): NodeAddress[] => {
  const nodes = readNodes(text)
  if (nodes.ok) return nodes.value
  context.addIssue(nodes.error)
  return z.NEVER
})

const origin = httpUrl
  .transform((text) => new URL(text))
  .refine((url) => url.href === `${url.origin}/`, 'must be an origin: scheme, host and port, nothing after')
  .refine(canBeSignedFor, 'must have a domain name, an IPv4 address or localhost as its host')

const addressList = commaSeparated.transform((entries, context) => {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix, more] = entry.split('/')
    const version = isIP(address)
    const bits = prefix === undefined ? (version === 4 ? 32 : 128) : Number(prefix)
    const family = version === 4 ? 'ipv4' : 'ipv6'
    if (
      version === 0 ||
      more !== undefined ||
      !Number.isInteger(bits) ||
      bits < 0 ||
      bits > (version === 4 ? 32 : 128)
    ) {
      context.addIssue(`${entry} is not an address or a network`)
      return z.NEVER
    }
    list.addSubnet(address, bits, family)
  }
  return list
})

const countries = commaSeparated
  .transform((codes) => codes.map((code) => code.toUpperCase()))
  .refine((codes) => codes.every((code) => /^[A-Z]{2}$/.test(code)), 'must be two-letter country codes')

const processVariables = z.object({
  LODE_PROFILE: z.enum(['development', 'test', 'production']),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  LOG_LEVEL: logLevel.default('info'),
})

const finality = z
  .union([z.literal('finalized'), z.coerce.bigint().min(1n)])
  .transform((given): Finality => (given === 'finalized' ? { kind: given } : { kind: 'depth', blocks: given }))

const chainVariables = processVariables.extend({
  API_HOST: z.string().default('127.0.0.1'),
  CHAIN_ID: z.coerce.number().int().positive(),
  CHAIN_NAME: z.string(),
  CHAIN_RPC_URL: nodeList,
  CHAIN_RPC_FILE: z.string().optional(),
  CHAIN_PUBLIC_RPC_URL: httpUrl.optional(),
  CHAIN_EXPLORER_URL: httpUrl.optional(),
  CHAIN_CURRENCY_NAME: z.string().default('Ether'),
  CHAIN_CURRENCY_SYMBOL: z.string().default('ETH'),
  CHAIN_CURRENCY_DECIMALS: z.coerce.number().int().min(0).max(36).default(18),
  CHAIN_FINALITY: finality.default({ kind: 'finalized' }),
  CHAIN_FINALITY_MINUTES: z.coerce.number().int().min(1).default(15),
  CHAIN_GENESIS_HASH: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .optional(),
  PRICE_MAX_AGE_SECONDS: z.coerce.number().int().min(1).default(7_200),
  ...contractVariables,
})

const operatorVariables = processVariables.extend({
  CHAIN_ID: chainVariables.shape.CHAIN_ID,
  CHAIN_FINALITY: chainVariables.shape.CHAIN_FINALITY,
  ...contractVariables,
})

/** A valid secp256k1 private key: above zero and below the curve's order. */
const privateKey = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .refine((text) => BigInt(text) > 0n && BigInt(text) < SECP256K1_ORDER)

const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const mayLoseCommits = { DATABASE_MAY_LOSE_COMMITS: z.literal('yes').optional() }

const apiVariables = chainVariables.extend({
  ...mayLoseCommits,
  API_PORT: port,
  PUBLIC_ORIGIN: origin,
  NONCE_SECRET: z.string().min(32, 'must have at least 32 characters'),
  QUOTE_KEY: privateKey,
  WEB_ROOT: z.string().optional(),
  WEB_KEPT_ROOT: z.string().optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  TRUSTED_PROXIES: addressList.default(new BlockList()),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/)
    .toLowerCase()
    .optional(),
  RESTRICTED_COUNTRIES: countries.default([]),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  API_DATABASE_CONNECTIONS: z.coerce.number().int().min(10).max(200).default(10),
  CONTACT_URL: z.url({ protocol: /^(https|mailto)$/ }).optional(),
  BTN_SOURCE_URL: z.url({ protocol: /^https$/ }).optional(),
  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must have 32 digits and letters from a to f')
    .optional(),
  WALLETCONNECT_RELAY_URL: z.url({ protocol: /^wss?$/ }).default('wss://relay.walletconnect.org'),
})

/** For example `USDT:50000,BTC:0.5`, in coins with at most six decimals, which every token can represent. */
const bounds = commaSeparated.pipe(
  z.array(z.string().regex(/^(USDT|BTN|BTC):(0|[1-9][0-9]{0,17})(\.[0-9]{0,5}[1-9])?$/, 'must be like USDT:50000')),
)

/** A clock that is wrong by more than an hour could end a day early, so more is not allowed. */
const clockVariables = { CLOCK_MAX_DIFFERENCE_SECONDS: z.coerce.number().int().min(60).max(3_600).optional() }

const workerVariables = chainVariables.extend({
  ...clockVariables,
  WORKER_PORT: port,
  CHAIN_POLL_MS: z.coerce.number().int().min(10).default(2_000),
  CHAIN_BELIEVED_AFTER_MS: z.coerce.number().int().min(0).default(120_000),
  BITCOIN_RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
})

const signerVariables = chainVariables.extend({
  ...clockVariables,
  ...mayLoseCommits,
  SIGNER_PORT: port,
  PUBLIC_ORIGIN: origin,
  PAYER_KEY: privateKey,
  SIGNER_DAY_CAP: bounds.default([]),
  SIGNER_POLL_MS: z.coerce.number().int().min(10).default(2_000),
  SIGNER_STUCK_AFTER_MS: z.coerce.number().int().min(10).default(60_000),
  SIGNER_JOURNAL: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
  SIGNER_MAX_FEE_GWEI: z.coerce.number().positive().max(1_000_000).default(300),
  OPERATORS_CEREMONY: z
    .string()
    .regex(/^(0x)?[0-9a-f]{64}$/)
    .transform((text): Hex => `0x${text.replace(/^0x/, '')}`)
    .optional(),
})

/** The variables that each process reads. A test compares them with the documentation. */
export const variablesReadBy = {
  api: Object.keys(apiVariables.shape),
  worker: Object.keys(workerVariables.shape),
  signer: Object.keys(signerVariables.shape),
  lode: Object.keys(operatorVariables.shape),
} as const

export function readApiConfig(environment: Environment): Result<ApiConfig, string[]> {
  return readChainConfig(apiVariables, environment, (variables) => ({
    ...processConfig(variables),
    host: variables.API_HOST,
    port: variables.API_PORT,
    chain: chainConfig(variables),
    publicOrigin: variables.PUBLIC_ORIGIN,
    databaseMayLoseCommits: variables.DATABASE_MAY_LOSE_COMMITS === 'yes',
    nonceSecret: variables.NONCE_SECRET,
    quoteKey: variables.QUOTE_KEY as Hex,
    webRoot: variables.WEB_ROOT ?? null,
    webKeptRoot: variables.WEB_KEPT_ROOT ?? null,
    redisUrl: variables.REDIS_URL ?? null,
    trustedProxies: variables.TRUSTED_PROXIES,
    registration: registrationPolicy(variables),
    rateLimits: variables.RATE_LIMITS === 'on',
    databaseConnections: variables.API_DATABASE_CONNECTIONS,
    walletConnect: walletConnectConfig(variables),
    contactUrl: variables.CONTACT_URL ?? null,
    btnSourceUrl: variables.BTN_SOURCE_URL ?? null,
  }))
}

export function readWorkerConfig(environment: Environment): Result<WorkerConfig, string[]> {
  return readChainConfig(workerVariables, environment, (variables) => ({
    ...processConfig(variables),
    host: variables.API_HOST,
    port: variables.WORKER_PORT,
    chain: chainConfig(variables),
    clockMaxDifferenceMs: clockMaxDifferenceMs(variables),
    watcher: {
      pollMs: variables.CHAIN_POLL_MS,
      stopAfterMs: variables.CHAIN_BELIEVED_AFTER_MS,
    },
    bitcoinNodeUrl: variables.BITCOIN_RPC_URL === undefined ? null : new URL(variables.BITCOIN_RPC_URL),
  }))
}

export function readSignerConfig(environment: Environment): Result<SignerConfig, string[]> {
  return readChainConfig(signerVariables, environment, (variables) => ({
    ...processConfig(variables),
    host: variables.API_HOST,
    port: variables.SIGNER_PORT,
    chain: chainConfig(variables),
    publicOrigin: variables.PUBLIC_ORIGIN,
    databaseMayLoseCommits: variables.DATABASE_MAY_LOSE_COMMITS === 'yes',
    clockMaxDifferenceMs: clockMaxDifferenceMs(variables),
    payer: {
      key: variables.PAYER_KEY as Hex,
      dayCap: parseBounds(variables.SIGNER_DAY_CAP, variables),
      pollMs: variables.SIGNER_POLL_MS,
      stuckAfterMs: variables.SIGNER_STUCK_AFTER_MS,
      maxFee: BigInt(Math.round(variables.SIGNER_MAX_FEE_GWEI * 1e9)),
      journal: variables.SIGNER_JOURNAL ?? null,
    },
    ceremony: variables.OPERATORS_CEREMONY ?? null,
  }))
}

export function readOwnerConfig(environment: Environment): Result<OwnerConfig, string[]> {
  return readConfig(processVariables, environment, processConfig)
}

export function readOperatorConfig(environment: Environment): Result<OperatorConfig, string[]> {
  return readConfig(operatorVariables, environment, (variables) => ({
    ...processConfig(variables),
    chainId: variables.CHAIN_ID,
    contracts: readPoolContracts(variables),
    finality: variables.CHAIN_FINALITY,
  }))
}

export function readVaultConfig(environment: Environment): Result<VaultConfig, string[]> {
  return readConfig(operatorVariables.omit({ DATABASE_URL: true }), environment, (variables) => ({
    profile: variables.LODE_PROFILE,
    chainId: variables.CHAIN_ID,
    contracts: readPoolContracts(variables),
    finality: variables.CHAIN_FINALITY,
  }))
}

/** For a process that asks the chain. If CHAIN_RPC_FILE is set, its text is read like CHAIN_RPC_URL. */
function readChainConfig<Schema extends z.ZodType, Config>(
  schema: Schema,
  environment: Environment,
  build: (variables: z.output<Schema>) => Config,
): Result<Config, string[]> {
  const { CHAIN_RPC_FILE: file, CHAIN_RPC_URL: urls } = environment
  if (!file) return readConfig(schema, environment, build)
  if (urls) return refused(['CHAIN_RPC_FILE: cannot be set together with CHAIN_RPC_URL'])
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return refused([`CHAIN_RPC_FILE: cannot be read: ${error instanceof Error ? error.message : String(error)}`])
  }
  const config = readConfig(schema, { ...environment, CHAIN_RPC_URL: text }, build)
  return config.ok ? config : refused(config.error.map((error) => error.replace(/^CHAIN_RPC_URL/, 'CHAIN_RPC_FILE')))
}

function readConfig<Schema extends z.ZodType, Config>(
  schema: Schema,
  environment: Environment,
  build: (variables: z.output<Schema>) => Config,
): Result<Config, string[]> {
  // An empty variable counts as unset, because compose files and unit files express "not set" that way.
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = schema.safeParse(given)
  if (!parsed.success)
    return refused(
      parsed.error.issues.map(({ path, message }) => {
        const name = path.join('.')
        return `${name}: ${path.length === 1 && !(name in given) ? 'is not set' : message}`
      }),
    )
  const errors = given.LODE_PROFILE === 'production' ? findProductionErrors(given) : []
  return errors.length > 0 ? refused(errors) : ok(build(parsed.data))
}

const processConfig = (variables: z.output<typeof processVariables>): ProcessConfig => ({
  profile: variables.LODE_PROFILE,
  databaseUrl: variables.DATABASE_URL,
  logLevel: variables.LOG_LEVEL,
})

const walletConnectConfig = (variables: z.output<typeof apiVariables>): WalletConnectConfig | null =>
  variables.WALLETCONNECT_PROJECT_ID === undefined
    ? null
    : { projectId: variables.WALLETCONNECT_PROJECT_ID, relayUrl: variables.WALLETCONNECT_RELAY_URL }

const chainConfig = (variables: z.output<typeof chainVariables>): ChainConfig => ({
  id: variables.CHAIN_ID,
  name: variables.CHAIN_NAME,
  nodes: variables.CHAIN_RPC_URL,
  nodesFile: variables.CHAIN_RPC_FILE ?? null,
  publicRpcUrl: variables.CHAIN_PUBLIC_RPC_URL ?? variables.CHAIN_RPC_URL[0]?.url ?? '',
  explorerUrl: variables.CHAIN_EXPLORER_URL ?? null,
  currency: {
    name: variables.CHAIN_CURRENCY_NAME,
    symbol: variables.CHAIN_CURRENCY_SYMBOL,
    decimals: variables.CHAIN_CURRENCY_DECIMALS,
  },
  contracts: readPoolContracts(variables),
  finality: variables.CHAIN_FINALITY,
  finalityMinutes: variables.CHAIN_FINALITY_MINUTES,
  priceMaxAgeSeconds: variables.PRICE_MAX_AGE_SECONDS,
  genesisHash: (variables.CHAIN_GENESIS_HASH as Hex | undefined) ?? null,
})

/** Outside production the clocks are compared only if the variable is set: there, time is shifted on purpose. */
function clockMaxDifferenceMs(variables: {
  readonly LODE_PROFILE: Profile
  readonly CLOCK_MAX_DIFFERENCE_SECONDS?: number | undefined
}): number | null {
  const seconds = variables.CLOCK_MAX_DIFFERENCE_SECONDS ?? (variables.LODE_PROFILE === 'production' ? 600 : null)
  return seconds === null ? null : seconds * 1_000
}

function parseBounds(entries: readonly string[], variables: z.output<typeof chainVariables>): Bounds {
  const { tokens } = readPoolContracts(variables)
  return Object.fromEntries(
    assets.flatMap((asset) => {
      const text = entries.find((entry) => entry.startsWith(`${asset}:`))?.slice(asset.length + 1)
      return text === undefined ? [] : [[asset, parseUnits(text, tokens[asset].decimals)]]
    }),
  )
}

/** Whether an EIP-4361 message can contain the domain. It is checked at startup, not at the first sign-in. */
function canBeSignedFor(url: URL): boolean {
  try {
    createSiweMessage({
      address: zeroAddress,
      chainId: 1,
      domain: url.host,
      nonce: '00000000',
      uri: url.origin,
      version: '1',
    })
    return true
  } catch {
    return false
  }
}

/** The country header counts only if a trusted proxy set it. Without header or proxies the country is unknown. */
function registrationPolicy(variables: z.output<typeof apiVariables>): RegistrationPolicy {
  const { RESTRICTED_COUNTRIES, COUNTRY_HEADER, TRUSTED_PROXIES } = variables
  if (RESTRICTED_COUNTRIES.length === 0) return { kind: 'open' }
  if (COUNTRY_HEADER === undefined || TRUSTED_PROXIES.rules.length === 0) return { kind: 'closed' }
  return { kind: 'by-country', header: COUNTRY_HEADER, restricted: new Set(RESTRICTED_COUNTRIES) }
}
