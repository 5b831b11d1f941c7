import { sql } from 'kysely'
import type { Address } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'

/** A guardian's pause that has not ended. */
export type VaultPause = { readonly since: Date; readonly until: Date }

/**
 * Whether a guardian has paused this vault, as the final blocks tell that were read. While the worker is stopped or away,
 * a newer pause is not known; then that has an alarm of its own. A pause ends by the time of the chain, so it is over as
 * soon as this clock or a block is past its end.
 */
export async function readVaultPause(db: Database, vault: Address): Promise<VaultPause | null> {
  const { rows } = await sql<VaultPause>`
    select block_time as since, until
    from (
      select name, block_time, to_timestamp((arguments ->> 'until')::float8) as until
      from lode.vault_event
      where vault = ${bytesOf(vault)} and name in ('Paused', 'Unpaused')
      order by block_number desc, log_index desc limit 1
    ) newest cross join lode.chain_state
    where name = 'Paused' and until > greatest(lode.now(), posted_time)`.execute(db)
  return rows[0] ?? null
}
