import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Database } from '../../platform/db/database.ts'

/** Number of locks. A block can hold money of more addresses than PostgreSQL has room for locks, so addresses share. */
const LOCKS = 1_024n

/**
 * Takes a lock for each address until the transaction ends. Crediting money of an address and registering that address
 * both take this lock first, so each sees the result of the other. The money is either credited to the member, or waits
 * in suspense until the address registers. All callers take the locks in the same order.
 */
export async function lockAddresses(inside: Database, addresses: Iterable<Address>): Promise<void> {
  const locks = new Set(Array.from(addresses, (address) => Number(BigInt(address) % LOCKS)))
  if (locks.size === 0) return
  await sql`
    select pg_advisory_xact_lock(hashtext('lode: address'), number)
    from unnest(${Array.from(locks).sort((one, other) => one - other)}::int[]) as given (number)`.execute(inside)
}
