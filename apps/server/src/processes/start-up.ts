import { assets, type Result } from '@lode/kernel'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { isAddressEqual } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describeWrongLedger, readChainState } from '../modules/custody/index.ts'
import { type OnlinePaymentRefusal, readVaultState } from '../modules/orders/index.ts'
import { checkChainId } from '../platform/chain/chain-id.ts'
import type { NodeList } from '../platform/chain/node-list.ts'
import { clockCanBeShifted } from '../platform/clock/clock.ts'
import type { ApiConfig, ChainConfig, Profile } from '../platform/config/config.ts'
import type { PoolContracts } from '../platform/config/pool-contracts.ts'
import type { Database } from '../platform/db/database.ts'
import { findMissingMigrations } from '../platform/db/migrate.ts'

/**
 * A failure that is not a bug: a process cannot start, or a command of the command line cannot be carried out. The
 * message is for the operator and is printed without a stack trace.
 */
export class ExpectedFailure extends Error {}

export function configOrRefuse<Config>(config: Result<Config, string[]>): Config {
  if (config.ok) return config.value
  throw new ExpectedFailure(
    `The configuration is not valid:\n  ${config.error.join('\n  ')}\nSet these variables: docs/operations.md, Configuration.`,
  )
}

export async function checkDatabase(db: Database, profile: Profile): Promise<void> {
  const missing = await findMissingMigrations(db).catch((error: unknown) => {
    throw new ExpectedFailure(`The database cannot be used: ${error instanceof Error ? error.message : String(error)}`)
  })
  if (missing.length > 0) throw new ExpectedFailure(`Migrations are missing: ${missing.join(', ')}. Run: lode migrate`)
  if (profile === 'production' && (await clockCanBeShifted(db)))
    throw new ExpectedFailure('The clock of this database can be shifted: it was not migrated for production')
}

/**
 * Production needs a synchronous standby. Otherwise a failover can lose the last commits: a payout that was signed and
 * sent would look unsigned. The operators can accept that with a setting.
 */
export async function checkCommitsSurvive(
  db: Database,
  { profile, databaseMayLoseCommits }: Pick<ApiConfig, 'profile' | 'databaseMayLoseCommits'>,
): Promise<void> {
  if (profile !== 'production' || databaseMayLoseCommits) return
  const { rows } = await sql<{ standbys: string; commit: string }>`
    select current_setting('synchronous_standby_names') as standbys,
           current_setting('synchronous_commit') as commit`.execute(db)
  const [{ standbys, commit } = { standbys: '', commit: '' }] = rows
  if (standbys !== '' && commit !== 'off' && commit !== 'local') return
  throw new ExpectedFailure(
    'The database has no synchronous standby, so a failover can lose the last payouts and credits: set ' +
      'synchronous_standby_names and synchronous_commit there, or accept it with DATABASE_MAY_LOSE_COMMITS=yes',
  )
}

/**
 * Checks that the configured decimals equal those in the database, which needs them to read the prices of the plan.
 * The database has no decimals before the first plan is published.
 */
export async function checkDecimals(db: Database, { tokens }: Pick<PoolContracts, 'tokens'>): Promise<void> {
  const { rows } = await sql<{ asset: string; decimals: number }>`select asset, decimals from lode.token`.execute(db)
  const inDatabase = new Map(rows.map(({ asset, decimals }) => [asset, decimals]))
  for (const asset of assets) {
    const [own, published] = [tokens[asset].decimals, inDatabase.get(asset)]
    if (published !== undefined && published !== own)
      throw new ExpectedFailure(
        `${asset}_DECIMALS is ${own}, but the plan of this pool was published with ${published}`,
      )
  }
}

/**
 * The api signs quotes for the configured vault. So it does not start until the ledger belongs to that vault. Otherwise
 * a member could be asked to pay an order that is paid in the former vault, and not posted yet.
 */
export async function checkVaultOfLedger(db: Database, chain: Pick<ChainConfig, 'id' | 'contracts'>): Promise<void> {
  const state = await readChainState(db)
  const wrong = state && describeWrongLedger(chain, state)
  if (wrong) throw new ExpectedFailure(`VAULT_ADDRESS and FORMER_VAULTS do not fit this database: ${wrong}`)
}

export type ChainCheck = { trouble(): string | null; stop(): void }

const CHECK_AGAIN_MS = 5_000

/**
 * The process does not start if a node is on another chain. It does start if no node answers, because members can sign
 * in and see their balances without one. Then it asks the nodes again every 5 seconds until they answer and are on the
 * right chain. While one is on another chain, the process is not ready.
 */
export async function checkChain(chain: Pick<ChainConfig, 'id'>, nodes: NodeList, log: Logger): Promise<ChainCheck> {
  const first = await describeMismatch(chain, nodes)
  if (first) throw new ExpectedFailure(first)
  let trouble: string | null = null
  let timer: NodeJS.Timeout | undefined
  const scheduleCheck = () => {
    timer = setTimeout(async () => {
      const found = await describeMismatch(chain, nodes)
      if (found) log.error(found)
      trouble = found ?? null
      if (found !== null) scheduleCheck()
    }, CHECK_AGAIN_MS)
    timer.unref()
  }
  if (first === undefined) {
    log.warn('no node of the chain answers: the chain is checked as soon as one does')
    scheduleCheck()
  }
  return { trouble: () => trouble, stop: () => clearTimeout(timer) }
}

/** Describes the mismatch. Null if all nodes that answer are on the right chain; undefined if none answers. */
async function describeMismatch({ id }: Pick<ChainConfig, 'id'>, nodes: NodeList): Promise<string | null | undefined> {
  const check = await checkChainId({ id, nodes: nodes() })
  switch (check.kind) {
    case 'match':
      return null
    case 'mismatch':
      return `CHAIN_ID is ${id}, but the node of ${check.origin} is on chain ${check.found}`
    case 'unreachable':
      return undefined
  }
}

export type VaultWatch = { onlineRefusal(): OnlinePaymentRefusal | null; stop(): void }

const VAULT_EVERY_MS = 60_000

/**
 * Checks whether members can pay the vault now: it accepts quotes that QUOTE_KEY signs, and it is not paused. If a node
 * reports that it accepts another key, a production api does not start; other profiles log an error. The administrator
 * can replace the key and the guardian can pause the vault at any time, so the check runs every minute. Meanwhile
 * orders with an online part are refused. Until a node answers, the vault is assumed to take payments. Payments that
 * were sent before are not concerned: the worker follows the chain, not this check.
 */
export async function watchVault(
  { chain, quoteKey, profile }: Pick<ApiConfig, 'chain' | 'quoteKey' | 'profile'>,
  nodes: NodeList,
  log: Logger,
  everyMs = VAULT_EVERY_MS,
): Promise<VaultWatch> {
  const own = privateKeyToAccount(quoteKey).address
  /** Undefined until a node answers. */
  let refusal: OnlinePaymentRefusal | null | undefined
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  const checkVault = async (): Promise<void> => {
    const state = await readVaultState({ nodes: nodes(), contracts: chain.contracts })
    if (state === null) return
    const before = refusal
    if (!isAddressEqual(state.quoteSigner, own)) refusal = 'payments-unavailable'
    else refusal = state.isPaused ? 'vault-paused' : null
    if (refusal === (before ?? null)) return
    if (refusal === 'payments-unavailable')
      log.error(
        `QUOTE_KEY is the key of ${own}, but the vault accepts quotes of ${state.quoteSigner}: nothing is sold online`,
      )
    else if (refusal === 'vault-paused') log.warn('the vault is paused: nothing is sold online')
    else log.warn('the vault takes payments again: orders can be paid online')
  }
  const scheduleCheck = () => {
    if (stopped) return
    timer = setTimeout(
      () => checkVault().then(scheduleCheck),
      refusal === undefined ? Math.min(CHECK_AGAIN_MS, everyMs) : everyMs,
    )
    timer.unref()
  }
  await checkVault()
  if (refusal === 'payments-unavailable' && profile === 'production')
    throw new ExpectedFailure(`QUOTE_KEY is the key of ${own}, whose quotes the vault does not accept`)
  scheduleCheck()
  return {
    onlineRefusal: () => refusal ?? null,
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
