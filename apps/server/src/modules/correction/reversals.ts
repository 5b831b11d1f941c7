import { type Asset, ok, type Result, refused } from '@lode/kernel'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { runTransaction } from '../../platform/db/transaction.ts'
import { type Proposal, SIGNATURES_NEEDED } from '../operators/index.ts'
import { reversalSubject } from './rules.ts'

const FORTNIGHT_HOURS = 14 * 24

/** Why a posting cannot be undone, by the answers of lode.find_reversal. */
export const reversalProblems = {
  unknown: 'there is no such posting',
  caused: 'this posting has a valid cause',
  answered: 'this was undone before, or is announced already',
  kind: 'it moved money of several members, or money that is frozen, pledged or unclaimed',
} as const

type FoundPosting = {
  readonly problem: keyof typeof reversalProblems | null
  readonly type: string
  readonly asset: Asset
  readonly amount: string
}

/** The operator types the key as `lode audit` or `lode correct list` prints it. Refused unless its cause is false. */
export async function proposeReversal(
  db: Database,
  { member, key, note }: { member: bigint; key: string; note: string | undefined },
): Promise<Result<Proposal<'reverse'>, string>> {
  const { rows } = await sql<FoundPosting>`
    select problem, type, asset, amount from lode.find_reversal(${member}, ${key})`.execute(db)
  const [found] = rows
  if (!found || found.problem !== null)
    return refused(`It cannot be undone: ${reversalProblems[found?.problem ?? 'unknown']}.`)
  const { type, asset: symbol, amount } = found
  const terms = { member: String(member), key, type, symbol, amount }
  return ok({
    verb: 'reverse',
    subject: reversalSubject(String(member), key),
    needed: SIGNATURES_NEEDED,
    validHours: FORTNIGHT_HOURS,
    terms: { ...terms, ...(note === undefined ? {} : { note }) },
  })
}

/**
 * Undoes what was announced 72 hours ago, each in its own transaction. If a cause was found since, it ends without
 * being undone. Returns how many were undone.
 */
export async function postDueReversals(db: Database): Promise<number> {
  const { rows } = await sql<{ id: bigint }>`
    select decision_id as id from lode.reversal where ended is null and due_at <= lode.now() order by 1`.execute(db)
  let undone = 0
  for (const { id } of rows) {
    const posted = await runTransaction(db, async (trx) => {
      const { rows: answers } = await sql<{ answer: string }>`
        select lode.reverse_posting(${id}) as answer`.execute(trx)
      const answer = answers[0]?.answer
      return answer === 'insufficient'
        ? refused(`an account of the pool has less than decision ${id} must undo`)
        : ok(answer)
    })
    if (!posted.ok) throw new Error(posted.error)
    if (posted.value === 'ok') undone += 1
  }
  return undone
}

export type FalsePosting = {
  readonly type: string
  readonly key: string
  readonly asset: Asset
  readonly amount: bigint
}

/** The postings whose chain log the signer's nodes do not have, and that nobody has decided to undo yet. */
export async function listFalsePostings(db: Database): Promise<FalsePosting[]> {
  const { rows } = await sql<FoundPosting & { key: string }>`
    select missing.key, found.problem, found.type, found.asset, found.amount
    from lode.missing_log missing cross join lateral lode.find_reversal(0, missing.key) found
    where found.problem is null
      and not exists (select from lode.reversal where transaction = found.transaction and ended is null)
    order by missing.found_at, missing.key`.execute(db)
  return rows.map(({ type, key, asset, amount }) => ({ type, key, asset, amount: BigInt(amount) }))
}

export type Reversal = {
  readonly key: string
  readonly asset: Asset
  readonly amount: bigint
  readonly note: string
  readonly dueAt: Date
  /** `caused`: a cause was found before it was due, so it was not undone. */
  readonly ended: 'posted' | 'caused' | null
}

/** The last hundred announced reversals, newest first. */
export async function listReversals(db: Database): Promise<Reversal[]> {
  const { rows } = await sql<Omit<Reversal, 'amount'> & { amount: string }>`
    select decision.body::jsonb ->> 'key' as key, reversal.asset, reversal.amount, reversal.note,
           reversal.due_at as "dueAt", reversal.ended
    from lode.reversal join lode.decision on decision.id = reversal.decision_id
    order by reversal.decision_id desc limit 100`.execute(db)
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}
