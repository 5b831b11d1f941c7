import type { Asset } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

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
