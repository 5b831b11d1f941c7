import { sql } from 'kysely'
import type { AgreedChain } from '../../platform/chain/agreed-chain.ts'
import type { Database } from '../../platform/db/database.ts'
import { readChainState } from '../custody/index.ts'
import { type PostedTransaction, readTransactions } from '../ledger/index.ts'
import { isReversalOf } from './proof-rules.ts'

/** False postings, and the reversals that undo them. */

/**
 * Stores that nodes of two origins do not have the log of a posting, so that two operators can undo it. Each of them has
 * shown that it still has receipts as old as the pool (see `logsOf`). If the nodes are behind the worker, the log may
 * come later, and nothing is stored.
 */
export async function noteMissingLog({ finalized }: AgreedChain, db: Database, { key }: PostedTransaction) {
  const state = await readChainState(db)
  if (!state || finalized.number < state.highestPosted || finalized.number < state.postedNumber) return
  await sql`insert into lode.missing_log (key) values (${key}) on conflict do nothing`.execute(db)
}

/** The nodes have the logs of these postings, also if they lacked them before. */
export async function forgetMissingLogs(db: Database, postings: readonly PostedTransaction[]): Promise<void> {
  await sql`delete from lode.missing_log where key = any (${postings.map(({ key }) => key)}::text[])`.execute(db)
}

/** The ledger transaction that undid this posting, or null. */
export async function readReversalOf(db: Database, { member, key }: PostedTransaction): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    select made.id from lode.ledger_transaction undone
    join lode.correction on correction.answers = undone.id
    join lode.ledger_transaction made on made.member = 0 and made.key = correction.key
    where undone.member = ${member} and undone.key = ${key}`.execute(db)
  return rows[0]?.id ?? null
}

type ReversalChecks = {
  readonly checkCorrection: (db: Database, posted: PostedTransaction) => Promise<string | null>
  /** Whether the posting names a log that the nodes do not have. */
  readonly lacksLog: (undone: PostedTransaction) => Promise<boolean>
}

/** A reversal must be decided by two operators, and undo exactly a posting whose cause is false. */
export async function findWrongReversal(
  db: Database,
  posted: PostedTransaction,
  { checkCorrection, lacksLog }: ReversalChecks,
): Promise<string | null> {
  const undone = await readReversed(db, posted)
  if (!undone) return 'it undoes nothing'
  if (!isReversalOf(posted, undone.transaction)) return 'it is not the opposite of what it undoes'
  const undecided = await checkCorrection(db, posted)
  if (undecided !== null) return undecided
  // Other postings have no log to look up. There the database says whether they have a cause.
  if (!undone.isCaused || (await lacksLog(undone.transaction))) return null
  return `the ${undone.transaction.type} that it undoes is right`
}

/** What a reversal undid, and whether the database finds its cause. Null if it undid nothing. */
async function readReversed(
  db: Database,
  { key }: PostedTransaction,
): Promise<{ readonly transaction: PostedTransaction; readonly isCaused: boolean } | null> {
  const { rows } = await sql<{ id: bigint; is_caused: boolean }>`
    select undone.id, lode.has_cause(undone.id) as is_caused
    from lode.correction join lode.ledger_transaction undone on undone.id = correction.answers
    where correction.key = ${key}`.execute(db)
  const [row] = rows
  const transaction = row && (await readTransactions(db, [row.id])).get(row.id)
  return transaction ? { transaction, isCaused: row.is_caused } : null
}
