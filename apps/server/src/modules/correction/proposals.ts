import { type Asset, ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { readSystemBalances } from '../ledger/index.ts'
import { type Proposal, SIGNATURES_NEEDED } from '../operators/index.ts'
import { fundingSubject, writeOffSubject } from './rules.ts'

const FORTNIGHT_HOURS = 14 * 24

/** What stops an asset, and what operators can write off because of it; `loss` is null if that would not help. */
export type StoppedAsset = {
  readonly asset: Asset
  readonly reason: string
  readonly stoppedAt: Date
  readonly loss: {
    readonly amount: bigint
    readonly from: 'vault' | 'cold'
    readonly arrived: bigint
    readonly cause: string
  } | null
  /** Whether a false posting explains a balance that differs. Then its reversal ends the stop. */
  readonly hasFalsePosting: boolean
}

export async function listStoppedAssets(db: Database): Promise<StoppedAsset[]> {
  const { rows } = await sql<{
    asset: Asset
    reason: string
    stopped_at: Date
    amount: string | null
    place: 'vault' | 'cold' | null
    arrived: string | null
    cause: string
    has_false_posting: boolean
  }>`
    select asset, reason, stopped_at, amount, place, arrived,
           tx is null and lode.has_false_posting(asset) as has_false_posting,
           coalesce('0x' || encode(tx, 'hex') || ':' || log_index, 'block:' || block_number) as cause
    from lode.asset_stop order by asset`.execute(db)
  return rows.map(({ asset, reason, stopped_at, amount, place, arrived, cause, has_false_posting }) => ({
    asset,
    reason,
    stoppedAt: stopped_at,
    loss:
      amount === null || place === null || has_false_posting
        ? null
        : { amount: BigInt(amount), from: place, arrived: BigInt(arrived ?? 0), cause },
    hasFalsePosting: has_false_posting,
  }))
}

/** The operator types asset, amount and cause. They must be exactly what stops the asset. */
export async function proposeWriteOff(
  db: Database,
  { symbol, amount, cause, note }: { symbol: Asset; amount: bigint; cause: string; note: string | undefined },
): Promise<Result<Proposal<'write-off'>, string>> {
  const stopped = (await listStoppedAssets(db)).find(({ asset }) => asset === symbol)
  if (!stopped) return refused(`${symbol} is not stopped.`)
  if (stopped.hasFalsePosting)
    return refused(`Nothing is missing: a posting of ${symbol} is false. Undo it instead: lode correct list.`)
  if (!stopped.loss) return refused(`${symbol} is not stopped because money left: ${stopped.reason}`)
  if (stopped.loss.cause !== cause || stopped.loss.amount !== amount)
    return refused(`${symbol} is stopped because of another log or amount: ${stopped.reason}`)
  const { from, arrived } = stopped.loss
  const terms = { symbol, amount: String(amount), from, cause, arrived: String(arrived) }
  return ok({
    verb: 'write-off',
    subject: writeOffSubject(symbol, cause),
    needed: SIGNATURES_NEEDED,
    validHours: FORTNIGHT_HOURS,
    terms: { ...terms, ...(note === undefined ? {} : { note }) },
  })
}

export async function proposeLossFunding(
  db: Database,
  { symbol, amount, note }: { symbol: Asset; amount: bigint; note: string | undefined },
): Promise<Result<Proposal<'fund-loss'>, string>> {
  const balance = await readSystemBalances(db)
  if (balance('pool:loss', symbol) >= 0n) return refused(`No ${symbol} is missing.`)
  if (amount > -balance('pool:loss', symbol)) return refused(`Less ${symbol} than this amount is missing.`)
  if (amount > balance('pool:operations', symbol))
    return refused(`pool:operations has less ${symbol} than this amount.`)
  return ok({
    verb: 'fund-loss',
    subject: fundingSubject,
    needed: SIGNATURES_NEEDED,
    validHours: FORTNIGHT_HOURS,
    terms: { symbol, amount: String(amount), ...(note === undefined ? {} : { note }) },
  })
}
