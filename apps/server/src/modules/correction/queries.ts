import { type Asset, formatAmount, units } from '@lode/kernel'
import type { DataOf } from '@lode/wire'
import { sql } from 'kysely'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { computeHoldings, readSystemBalances } from '../ledger/index.ts'

type CorrectionKind = 'write-off' | 'fund' | 'reverse'

export type CorrectionStatus = {
  readonly kind: CorrectionKind
  readonly asset: Asset
  readonly amount: bigint
  /** What was written off: a chain log, or a block; or the key of the posting to undo. Null if something was replaced. */
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
  kind: CorrectionKind
  asset: Asset
  amount: string
  purpose: string
  decided_at: Date
  cause: string | null
}

const kindOfVerb = { 'write-off': 'write-off', 'fund-loss': 'fund', reverse: 'reverse' } as const

/** The last hundred decided corrections with an outcome, newest first. */
export async function listCorrections(db: Database): Promise<CorrectionStatus[]> {
  const { rows } = await sql<{ verb: keyof typeof kindOfVerb; body: string; at: Date; reason: string | null }>`
    select decision.verb, decision.body, outcome.at, outcome.reason
    from lode.decision_outcome as outcome join lode.decision on decision.id = outcome.decision_id
    where decision.verb = any(${Object.keys(kindOfVerb)}) order by decision.id desc limit ${MAX_CORRECTIONS}`.execute(
    db,
  )
  return rows.map(({ verb, body, at, reason }) => {
    const { symbol, amount, cause, key, note } = JSON.parse(body) as {
      symbol: Asset
      amount: string
      cause?: string
      key?: string
      note: string
    }
    return {
      kind: kindOfVerb[verb],
      asset: symbol,
      amount: BigInt(amount),
      cause: cause ?? key ?? null,
      note,
      decidedAt: at,
      refused: reason,
    }
  })
}
