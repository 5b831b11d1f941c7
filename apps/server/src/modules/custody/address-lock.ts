import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Database } from '../../platform/db/database.ts'

/** A block can hold money of more addresses than the database has room for locks, so many share one. */
const LOCKS = 1_024n

/**
 * Held until the transaction ends. Whoever credits money of an address and whoever registers it both take it first, so that
 * the one sees what the other did: money either finds its member or waits in suspense for a registration that comes later.
 * Taken in one order, whoever asks.
 */
export async function lockAddresses(inside: Database, addresses: Iterable<Address>): Promise<void> {
  const locks = new Set(Array.from(addresses, (address) => Number(BigInt(address) % LOCKS)))
  if (locks.size === 0) return
  await sql`
    select pg_advisory_xact_lock(hashtext('lode: address'), number)
    from unnest(${Array.from(locks).sort((one, other) => one - other)}::int[]) as given (number)`.execute(inside)
}
