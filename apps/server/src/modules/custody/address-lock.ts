import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Database } from '../../platform/db/database.ts'

/**
 * Held until the transaction ends. Whoever credits money of an address and whoever registers it both take it first, so that
 * the one sees what the other did: money either finds its member or waits in suspense for a registration that comes later.
 * Taken in one order, whoever asks.
 */
export async function lockAddresses(inside: Database, addresses: Iterable<Address>): Promise<void> {
  const sorted = Array.from(new Set(Array.from(addresses, (address) => address.toLowerCase()))).sort()
  if (sorted.length === 0) return
  await sql`
    select pg_advisory_xact_lock(hashtextextended('lode: address ' || address, 0))
    from unnest(${sorted}::text[]) as given (address)`.execute(inside)
}
