import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { SYSTEM } from './account-number.ts'
import { type KindsOf, kinds } from './chart.ts'
import { type PostedTransaction, readTransactions } from './posted-transactions.ts'

/** One posting to a system account, with the whole transaction that it belongs to. */
export type NewPosting = {
  readonly account: bigint
  /** The postings of an account have consecutive versions, so none can be inserted between two of them later. */
  readonly version: bigint
  readonly transactionId: bigint
  readonly transaction: PostedTransaction
}

type SystemKind = KindsOf<'system'>

/** The last version of each account that the caller has read. If an account is missing, no posting of it was read. */
export type SeenVersions = ReadonlyMap<bigint, bigint>

/** The postings to accounts of these kinds after the versions in `seen`, at most `limit` of them. */
export async function readNewPostings(
  db: Database,
  seen: SeenVersions,
  accountKinds: readonly SystemKind[],
  limit: number,
): Promise<NewPosting[]> {
  const { rows } = await sql<{ account: bigint; version: bigint; transaction: bigint }>`
    select posting.account, posting.version, posting.transaction
    from lode.ledger_account account
    left join ${seenTable(seen)} seen on seen.account = account.id
    cross join lateral (
      select posting.account, posting.version, posting.transaction from lode.posting
      where posting.member = ${SYSTEM} and posting.account = account.id and posting.version > coalesce(seen.version, 0)
      order by posting.version limit ${limit}
    ) posting
    where ${isOfKind(accountKinds)} and account.version > coalesce(seen.version, 0)
    order by posting.account, posting.version limit ${limit}`.execute(db)
  const transactions = await readTransactions(db, Array.from(new Set(rows.map(({ transaction }) => transaction))))
  return rows.map(({ account, version, transaction }) => {
    const found = transactions.get(transaction)
    if (!found) throw new Error(`transaction ${transaction} has postings but does not exist`)
    return { account, version, transactionId: transaction, transaction: found }
  })
}

const seenTable = (seen: SeenVersions) =>
  sql`(select * from unnest(${Array.from(seen.keys(), String)}::int8[], ${Array.from(seen.values(), String)}::int8[])
       as given (account, version))`

/** The system's owner is 0, so the account number without its low 8 bits is the kind. */
const isOfKind = (accountKinds: readonly SystemKind[]) =>
  sql`account.id >= 0 and account.id < 1 << 14 and account.id >> 8 = any (${accountKinds.map((kind) => kinds[kind].code)}::int8[])`
