import { type Asset, formatAmount, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { sql } from 'kysely'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { computeHoldings, readSystemBalances } from '../ledger/index.ts'

export type CorrectionStatus = {
  readonly kind: 'write-off' | 'fund'
  readonly asset: Asset
  readonly amount: bigint
  /** What was written off: a chain log, or a block. Null if something was replaced. */
  readonly cause: string | null
  readonly note: string
  readonly decidedAt: Date
  /** Why it could not be carried out, or null. */
  readonly refused: string | null
}

const MAX_CORRECTIONS = 100

type PublicLosses = Pick<DataOf<'pool/payments'>, 'missing' | 'corrections'>

/** What is missing now, and the last hundred corrections. */
export async function readPublicLosses(db: Database, decimals: Decimals): Promise<PublicLosses> {
  const format = (symbol: Asset, amount: bigint) => formatAmount(units(symbol, amount), decimals[symbol])
  const { rows } = await sql<CorrectionRow>`
    select id, kind, asset, amount, purpose, decided_at,
           coalesce('0x' || encode(tx, 'hex') || ':' || log_index, 'block:' || block_number) as cause
    from lode.correction order by number desc limit ${MAX_CORRECTIONS}`.execute(db)
  return {
    missing: computeHoldings(await readSystemBalances(db)).flatMap(({ symbol, missing }) =>
      missing > 0n ? [{ symbol, amount: format(symbol, missing) }] : [],
    ),
    corrections: rows.map(({ id, kind, asset, amount, purpose, decided_at, cause }) => ({
      id,
      kind,
      symbol: asset,
      amount: format(asset, BigInt(amount)),
      cause,
      purpose,
      at: decided_at.toISOString(),
    })),
  }
}

type CorrectionRow = {
  id: string
  kind: 'write-off' | 'fund'
  asset: Asset
  amount: string
  purpose: string
  decided_at: Date
  cause: string | null
}

/** The last hundred decided corrections with an outcome, newest first. */
export async function listCorrections(db: Database): Promise<CorrectionStatus[]> {
  const { rows } = await sql<{ verb: string; body: string; at: Date; reason: string | null }>`
    select decision.verb, decision.body, outcome.at, outcome.reason
    from lode.decision_outcome as outcome join lode.decision on decision.id = outcome.decision_id
    where decision.verb in ('write-off', 'fund-loss') order by decision.id desc limit ${MAX_CORRECTIONS}`.execute(db)
  return rows.map(({ verb, body, at, reason }) => {
    const { symbol, amount, cause, note } = JSON.parse(body) as {
      symbol: Asset
      amount: string
      cause?: string
      note: string
    }
    return {
      kind: verb === 'write-off' ? 'write-off' : 'fund',
      asset: symbol,
      amount: BigInt(amount),
      cause: cause ?? null,
      note,
      decidedAt: at,
      refused: reason,
    }
  })
}
