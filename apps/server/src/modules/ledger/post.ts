import type { Database } from '../../platform/db/database.ts'
import { namedStatement } from '../../platform/db/named-statement.ts'
import { encodeBatch } from './batch.ts'
import { encodePlain } from './plain.ts'
import type { Outcome, Transaction } from './transaction.ts'

type Options = {
  /** Posts all transactions or none. Use it when one transaction depends on another. */
  readonly together?: boolean
}

/**
 * Posts transactions in their order and returns the outcome of each. A command must post everything in one call: one
 * call takes its locks in a fixed order, while two calls in one database transaction can deadlock.
 */
export async function post(
  db: Database,
  transactions: readonly Transaction[],
  { together = false }: Options = {},
): Promise<Outcome[]> {
  const [first, ...others] = transactions
  if (!first) return []
  const plain = others.length === 0 ? encodePlain(first) : null
  const posted = plain && answered(await postPlain(db, plain))
  if (posted) return [{ outcome: 'posted', transaction: posted }]
  const answers = answered(await postBatch(db, [...encodeBatch(transactions), together]))
  if (answers.length !== transactions.length) throw new Error('the ledger did not answer for every transaction')
  return answers.map(readAnswer)
}

const postPlain = namedStatement<{ answer: bigint | null }>(
  'post_plain',
  `select lode.post_plain(${places(9)}) as answer`,
)
const postBatch = namedStatement<{ answer: string[] }>('post', `select lode.post(${places(14)}) as answer`)

function answered<T>({ rows: [row] }: { readonly rows: readonly { readonly answer: T }[] }): T {
  if (!row) throw new Error('the ledger did not answer')
  return row.answer
}

function places(count: number): string {
  return Array.from({ length: count }, (_, place) => `$${place + 1}`).join(', ')
}

/** Parses an answer of lode.post, such as `posted 17` or `insufficient`: an outcome, and a number if there is one. */
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
