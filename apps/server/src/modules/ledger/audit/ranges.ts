import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { NumberRange } from '../seal-chain.ts'

export const MAX_BIGINT = 9_223_372_036_854_775_807n
export const EVERYTHING: NumberRange = { first: -MAX_BIGINT, last: MAX_BIGINT }

const TRANSACTIONS_PER_WINDOW = 20_000n

/**
 * Divides a range of transaction numbers into windows with at most 20,000 transactions each. The windows cover every
 * number of the range, so that a posting without a transaction is in a window, too.
 */
export async function divideIntoWindows(trx: Database, { first, last }: NumberRange): Promise<NumberRange[]> {
  if (first > last) return []
  const { rows } = await sql<{ id: bigint }>`
    select id from (
      select id, row_number() over (order by id) as place from lode.ledger_transaction where id between ${first} and ${last}
    ) as numbered
    where place % ${TRANSACTIONS_PER_WINDOW} = 0 and id < ${last} order by id`.execute(trx)
  const ends = [...rows.map(({ id }) => id), last]
  return ends.map((end, place) => ({ first: place === 0 ? first : (ends[place - 1] ?? first) + 1n, last: end }))
}

export async function listPartitions(trx: Database, table: string): Promise<string[]> {
  const { rows } = await sql<{ leaf: string }>`
    select relname as leaf from pg_partition_tree(${`lode.${table}`}::regclass) join pg_class on oid = relid
    where isleaf order by oid`.execute(trx)
  return rows.map(({ leaf }) => leaf)
}

/** A part of the owners of accounts: members, the system (0) and holders of suspense, whose numbers are negative. */
export type Owners = {
  /** The range of the owners' numbers without their sign. */
  readonly distance: NumberRange
  /** The members in it. The first and the last part also have the numbers that no member can have. */
  readonly members: NumberRange
  readonly accounts: NumberRange
  readonly suspenseAccounts: NumberRange
}

export const ALL_OWNERS: Owners = {
  distance: EVERYTHING,
  members: EVERYTHING,
  accounts: EVERYTHING,
  suspenseAccounts: EVERYTHING,
}

/** The owners from `first` to `last`, as many above 0 as below it. Null stands for the end of all numbers. */
export const ownersBetween = (first: bigint, last: bigint | null): Owners => ({
  distance: { first, last: last ?? MAX_BIGINT },
  members: { first: first === 0n ? -MAX_BIGINT : first, last: last ?? MAX_BIGINT },
  accounts: { first: first << 14n, last: last === null ? MAX_BIGINT : ((last + 1n) << 14n) - 1n },
  suspenseAccounts: {
    first: last === null ? -MAX_BIGINT : -last << 14n,
    last: first === 0n ? -1n : ((1n - first) << 14n) - 1n,
  },
})
