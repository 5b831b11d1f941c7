import type { Database } from '../../platform/db/database.ts'
import { namedStatement } from '../../platform/db/named-statement.ts'
import { encodeBatch } from './batch.ts'
import { encodeFastPost } from './fast-post.ts'
import type { Outcome, Transaction } from './transaction.ts'

type PostOptions = {
  /** If true, posts all transactions or none. Use it when one transaction depends on another. */
  readonly together?: boolean
}

/**
 * Posts transactions in their order and returns the outcome of each. A command must post everything in one call: one
 * call takes its locks in a fixed order, while two calls in one database transaction can deadlock.
 */
export async function post(
  db: Database,
  transactions: readonly Transaction[],
  { together = false }: PostOptions = {},
): Promise<Outcome[]> {
  const [first, ...others] = transactions
  if (!first) return []
  const fastPostParameters = others.length === 0 ? encodeFastPost(first) : null
  const posted = fastPostParameters && readAnswerRow(await fastPost(db, fastPostParameters))
  if (posted) return [{ outcome: 'posted', transaction: posted }]
  const answers = readAnswerRow(await postBatch(db, [...encodeBatch(transactions), together]))
  if (answers.length !== transactions.length) throw new Error('lode.post did not answer for every transaction')
  return answers.map(parseOutcome)
}

const fastPost = namedStatement<{ answer: bigint | null }>(
  'post_plain',
  `select lode.post_plain(${parameterList(9)}) as answer`,
)
const postBatch = namedStatement<{ answer: string[] }>('post', `select lode.post(${parameterList(14)}) as answer`)

function readAnswerRow<T>({ rows: [row] }: { readonly rows: readonly { readonly answer: T }[] }): T {
  if (!row) throw new Error('the ledger did not answer')
  return row.answer
}

function parameterList(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ')
}

/** Parses an answer of lode.post: an outcome, some with a transaction number, such as `posted 17` or `insufficient`. */
function parseOutcome(answer: string): Outcome {
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
