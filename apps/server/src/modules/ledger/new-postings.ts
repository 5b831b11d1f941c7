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

/** A version of each account: it stands for the postings up to it. Of an account that is missing, it stands for none. */
export type AccountVersions = ReadonlyMap<bigint, bigint>

/** The last version of each account of these kinds. */
export async function readVersions(db: Database, accountKinds: readonly SystemKind[]): Promise<AccountVersions> {
  const { rows } = await sql<{ id: bigint; version: bigint }>`
    select id, version from lode.ledger_account account where ${isOfKind(accountKinds)}`.execute(db)
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/** The postings after the versions in `seen` and up to those in `until`, at most `limit` of them. */
export async function readNewPostings(
  db: Database,
  seen: AccountVersions,
  until: AccountVersions,
  limit: number,
): Promise<NewPosting[]> {
  const { rows } = await sql<{ account: bigint; version: bigint; transaction: bigint }>`
    select posting.account, posting.version, posting.transaction
    from ${versionTable(until)} until
    left join ${versionTable(seen)} seen on seen.account = until.account
    cross join lateral (
      select posting.account, posting.version, posting.transaction from lode.posting
      where posting.member = ${SYSTEM} and posting.account = until.account
        and posting.version > coalesce(seen.version, 0) and posting.version <= until.version
      order by posting.version limit ${limit}
    ) posting
    where until.version > coalesce(seen.version, 0)
    order by posting.account, posting.version limit ${limit}`.execute(db)
  const transactions = await readTransactions(db, Array.from(new Set(rows.map(({ transaction }) => transaction))))
  return rows.map(({ account, version, transaction }) => {
    const found = transactions.get(transaction)
    if (!found) throw new Error(`transaction ${transaction} has postings but does not exist`)
    return { account, version, transactionId: transaction, transaction: found }
  })
}

/** Whether one of the postings up to these versions belongs to the transaction. */
export async function isAmongPostings(db: Database, until: AccountVersions, transaction: bigint): Promise<boolean> {
  const { rows } = await sql`
    select from lode.posting join ${versionTable(until)} until on until.account = posting.account
    where posting.member = ${SYSTEM} and posting.transaction = ${transaction} and posting.version <= until.version
    limit 1`.execute(db)
  return rows.length > 0
}

const versionTable = (versions: AccountVersions) =>
  sql`(select * from unnest(${Array.from(versions.keys(), String)}::int8[],
                            ${Array.from(versions.values(), String)}::int8[])
       as given (account, version))`

/** The system's owner is 0, so the account number without its low 8 bits is the kind. */
const isOfKind = (accountKinds: readonly SystemKind[]) =>
  sql`account.id >= 0 and account.id < 1 << 14 and account.id >> 8 = any (${accountKinds.map((kind) => kinds[kind].code)}::int8[])`
