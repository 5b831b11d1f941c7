import { assets, type Result } from '@lode/kernel'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { isAddressEqual } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { readQuoteSigner } from '../modules/orders/index.ts'
import { checkChainId } from '../platform/chain/chain-id.ts'
import { clockCanBeShifted } from '../platform/clock/clock.ts'
import type { ApiConfig, ChainConfig, Profile } from '../platform/config/config.ts'
import type { PoolContracts } from '../platform/config/pool-contracts.ts'
import type { Database } from '../platform/db/database.ts'
import { missingMigrations } from '../platform/db/migrate.ts'

/** A reason not to start, in words for the operator. It is not a bug. */
export class StartUpRefusal extends Error {}

export function configOrRefuse<Config>(config: Result<Config, string[]>): Config {
  if (config.ok) return config.value
  throw new StartUpRefusal(`The configuration is not valid:\n  ${config.error.join('\n  ')}`)
}

export async function checkDatabase(db: Database, profile: Profile): Promise<void> {
  const missing = await missingMigrations(db).catch((error: unknown) => {
    throw new StartUpRefusal(`The database cannot be used: ${error instanceof Error ? error.message : String(error)}`)
  })
  if (missing.length > 0) throw new StartUpRefusal(`Migrations are missing: ${missing.join(', ')}. Run: lode migrate`)
  if (profile === 'production' && (await clockCanBeShifted(db)))
    throw new StartUpRefusal('The clock of this database can be shifted: it was not migrated for production')
}

/**
 * Checks that the configured decimals equal those in the database, which reads the price of an order from the plan.
 * Before the first plan the database has none.
 */
export async function checkDecimals(db: Database, { tokens }: Pick<PoolContracts, 'tokens'>): Promise<void> {
  const { rows } = await sql<{ asset: string; decimals: number }>`select asset, decimals from lode.token`.execute(db)
  const inDatabase = new Map(rows.map(({ asset, decimals }) => [asset, decimals]))
  for (const asset of assets) {
    const [own, known] = [tokens[asset].decimals, inDatabase.get(asset)]
    if (known !== undefined && known !== own)
      throw new StartUpRefusal(`${asset}_DECIMALS is ${own}, but the plan of this pool was published with ${known}`)
  }
}

export type ChainCheck = { trouble(): string | null; stop(): void }

const CHECK_AGAIN_MS = 5_000

/**
 * A node of another chain is a reason not to start. A missing node is not: members can sign in and see their balances
 * without one. The nodes are asked again until one answers. If that one is on another chain, the process becomes
 * unready.
 */
export async function checkChain(chain: ChainConfig, log: Logger): Promise<ChainCheck> {
  const first = await mismatch(chain)
  if (first) throw new StartUpRefusal(first)
  let trouble: string | null = null
  let timer: NodeJS.Timeout | undefined
  const askAgain = () => {
    timer = setTimeout(async () => {
      const found = await mismatch(chain)
      if (found) log.error(found)
      trouble = found ?? null
      if (found !== null) askAgain()
    }, CHECK_AGAIN_MS)
    timer.unref()
  }
  if (first === undefined) {
    log.warn('no node of CHAIN_RPC_URL answers: the chain is checked as soon as one does')
    askAgain()
  }
  return { trouble: () => trouble, stop: () => clearTimeout(timer) }
}

/** The mismatch in words; null if all nodes that answer are on the chain, undefined if none answers. */
async function mismatch(chain: ChainConfig): Promise<string | null | undefined> {
  const check = await checkChainId(chain)
  switch (check.kind) {
    case 'match':
      return null
    case 'mismatch':
      return `CHAIN_ID is ${chain.id}, but the node at ${check.url} is of chain ${check.found}`
    case 'unreachable':
      return undefined
  }
}

export type QuoteKeyCheck = { isTaken(): boolean; stop(): void }

const QUOTE_KEY_EVERY_MS = 60_000

/**
 * Whether the vault accepts what QUOTE_KEY signs. In production it must, if a node can tell; elsewhere a mismatch is
 * logged. The administrator can replace the key at any time, so it is checked every minute. While the vault accepts
 * another key, nothing is sold that needs a quote. Until a node answers, the key is assumed to be right.
 */
export async function checkQuoteKey(
  { chain, quoteKey, profile }: Pick<ApiConfig, 'chain' | 'quoteKey' | 'profile'>,
  log: Logger,
  everyMs = QUOTE_KEY_EVERY_MS,
): Promise<QuoteKeyCheck> {
  const own = privateKeyToAccount(quoteKey).address
  let isTaken: boolean | null = null
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    const signer = await readQuoteSigner(chain)
    if (signer === null) return
    const before = isTaken
    isTaken = isAddressEqual(signer, own)
    if (!isTaken && before !== false)
      log.error(`QUOTE_KEY is the key of ${own}, but the vault takes quotes of ${signer}: nothing is sold online`)
    if (isTaken && before === false) log.warn('the vault takes quotes of QUOTE_KEY again: orders can be paid online')
  }
  const lookAgain = () => {
    if (stopped) return
    timer = setTimeout(() => look().then(lookAgain), isTaken === null ? Math.min(CHECK_AGAIN_MS, everyMs) : everyMs)
    timer.unref()
  }
  await look()
  if (isTaken === false && profile === 'production')
    throw new StartUpRefusal(`QUOTE_KEY is the key of ${own}, whose quotes the vault does not take`)
  lookAgain()
  return {
    isTaken: () => isTaken !== false,
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
