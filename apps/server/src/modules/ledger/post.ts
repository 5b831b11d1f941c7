import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { encodeBatch } from './batch.ts'
import type { Outcome, Transaction } from './transaction.ts'

type Options = {
  /** Either all of them or none: for transactions of which one builds on another. */
  readonly together?: boolean
}

/**
 * Posts transactions, in their order, and answers with what came of each. One call does all that a command has to post: locks
 * are taken in one order by one call, and two calls in one database transaction can meet a deadlock.
 */
export async function post(
  db: Database,
  transactions: readonly Transaction[],
  { together = false }: Options = {},
): Promise<Outcome[]> {
  if (transactions.length === 0) return []
  const lists = [...encodeBatch(transactions), together].map((list) => sql`${list}`)
  const { rows } = await sql<Row>`select outcomes, transaction_ids from lode.post(${sql.join(lists)})`.execute(db)
  const [answer] = rows
  if (answer?.outcomes.length !== transactions.length)
    throw new Error('the ledger did not answer for every transaction')
  return answer.outcomes.map((outcome, index) => readOutcome(outcome, answer.transaction_ids[index] ?? null))
}

type Row = { outcomes: Outcome['outcome'][]; transaction_ids: (string | null)[] }

function readOutcome(outcome: Outcome['outcome'], transaction: string | null): Outcome {
  if (outcome === 'insufficient' || outcome === 'undone') return { outcome }
  if (transaction === null) throw new Error('the ledger posted without a number')
  return { outcome, transaction: BigInt(transaction) }
}
