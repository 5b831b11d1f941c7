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
  const { rows } = await sql<{ answers: string[] }>`select lode.post(${sql.join(lists)}) as answers`.execute(db)
  const answers = rows[0]?.answers ?? []
  if (answers.length !== transactions.length) throw new Error('the ledger did not answer for every transaction')
  return answers.map(readAnswer)
}

/** `posted 17`, `insufficient`: what came of it, and the number where there is one. */
function readAnswer(answer: string): Outcome {
  const [outcome, number] = answer.split(' ')
  switch (outcome) {
    case 'posted':
    case 'repeated':
    case 'conflict':
      if (number) return { outcome, transaction: BigInt(number) }
      break
    case 'insufficient':
    case 'undone':
      return { outcome }
  }
  throw new Error(`the ledger answered "${answer}"`)
}
