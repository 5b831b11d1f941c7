import { CompiledQuery } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { prepared } from '../../platform/db/prepared.ts'
import { encodeBatch } from './batch.ts'
import { encodePlain } from './plain.ts'
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
  const [first, ...others] = transactions
  if (!first) return []
  const plain = others.length === 0 ? encodePlain(first) : null
  const posted = plain && (await call<bigint | null>(db, 'post_plain', plain))
  if (posted) return [{ outcome: 'posted', transaction: posted }]
  const answers = await call<string[]>(db, 'post', [...encodeBatch(transactions), together])
  if (answers.length !== transactions.length) throw new Error('the ledger did not answer for every transaction')
  return answers.map(readAnswer)
}

async function call<T>(db: Database, name: 'post' | 'post_plain', parameters: readonly unknown[]): Promise<T> {
  const { rows } = await db.executeQuery<{ answer: T }>(CompiledQuery.raw(statements[name], [...parameters]))
  const [row] = rows
  if (!row) throw new Error('the ledger did not answer')
  return row.answer
}

const statements = {
  post: prepared('post', `select lode.post(${places(14)}) as answer`),
  post_plain: prepared('post_plain', `select lode.post_plain(${places(9)}) as answer`),
} as const

function places(count: number): string {
  return Array.from({ length: count }, (_, place) => `$${place + 1}`).join(', ')
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
