import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Database } from '../../platform/db/database.ts'

/** How many locks exist. Addresses share them: a block can have more senders than PostgreSQL's lock table has rows. */
const LOCKS = 1_024n

/**
 * Takes the lock of each address until the transaction ends. The watcher takes it before it credits the money of an
 * address, and registration takes it before it creates the member. So each sees the result of the other: the money is
 * credited to the member, or it is in suspense and registration finds it. All callers lock in the same order.
 */
export async function lockAddresses(trx: Database, addresses: Iterable<Address>): Promise<void> {
  const locks = new Set(Array.from(addresses, (address) => Number(BigInt(address) % LOCKS)))
  if (locks.size === 0) return
  await sql`
    select pg_advisory_xact_lock(hashtext('lode: address'), number)
    from unnest(${Array.from(locks).sort((one, other) => one - other)}::int[]) as given (number)`.execute(trx)
}
