import { ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { runTransaction } from '../../platform/db/transaction.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { amountOf, post, readSystemBalances } from '../ledger/index.ts'
import type { VerifiedDecision } from '../operators/index.ts'
import { reversalProblems } from './reversals.ts'
import type { CorrectionBody } from './rules.ts'

const refusalTexts = {
  'write-off': {
    unknown: 'nothing is stopped because of exactly this: see lode correct list',
    answered: 'this was written off before',
    false: 'a posting of this asset is false: undo it instead, see lode correct list',
  },
  'fund-loss': {},
  reverse: reversalProblems,
} as const satisfies Record<CorrectionBody['verb'], Readonly<Record<string, string>>>

const functionNames = {
  'write-off': sql`lode.write_off`,
  'fund-loss': sql`lode.fund_loss`,
  reverse: sql`lode.announce_reversal`,
} as const

/**
 * Carries out a correction that two operators signed, in one transaction. A write-off ends the stop of its asset. The
 * watcher then reads the blocks again, and posts the log as a write-off. A reversal is announced, and posted by
 * postDueReversals() 72 hours later.
 */
export function carryOutCorrection(
  db: Database,
  { id, body }: VerifiedDecision<CorrectionBody>,
): Promise<Result<null, string>> {
  return runTransaction(db, async (trx) => {
    const { rows } = await sql<{ answer: string }>`select ${functionNames[body.verb]}(${id}) as answer`.execute(trx)
    const answer = rows[0]?.answer ?? 'unknown'
    if (answer === 'done') return ok(null)
    const texts: Readonly<Record<string, string>> = refusalTexts[body.verb]
    if (answer !== 'ok') return refused(texts[answer] ?? answer)
    if (body.verb === 'fund-loss') {
      const problem = await moveFromOperations(trx, body)
      if (problem !== null) return refused(problem)
    }
    faultPoint('worker:before-apply-decision')
    return ok(null)
  })
}

/** Returns why it cannot be posted, or null. */
async function moveFromOperations(
  trx: Database,
  { symbol, amount, nonce }: Extract<CorrectionBody, { readonly verb: 'fund-loss' }>,
): Promise<string | null> {
  const missing = -(await readSystemBalances(trx))('pool:loss', symbol)
  if (BigInt(amount) > missing) return `less ${symbol} than this amount is missing`
  const moved = { ...amountOf(symbol, BigInt(amount)), from: 'pool:operations', to: 'pool:loss' } as const
  const [outcome] = await post(trx, [{ type: 'lossFundingByPool', key: `correction:${nonce}`, moves: [moved] }])
  if (outcome?.outcome === 'insufficient') return `pool:operations has less ${symbol} than this amount`
  if (outcome?.outcome !== 'posted') throw new Error(`the ledger did not post correction ${nonce}: ${outcome?.outcome}`)
  return null
}
