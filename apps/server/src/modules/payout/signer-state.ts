import { sql } from 'kysely'
import { type Hex, toHex } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'

/** What the running signer reports about itself. */
type SignerState = {
  readonly seenAt: Date
  /** The link of the operator chain that the signer pins; null if it pins none. */
  readonly pinnedLink: Hex | null
  /**
   * Whether the operator chain has the pinned link. If not, no approval or resume counts. A signer without a pin still
   * pays transfers that need neither; a signer whose pinned link is missing pays nothing.
   */
  readonly obeysApprovals: boolean
}

/** SQL condition: the operator chain has the pinned link. For a statement that selects from `lode.signer_state`. */
export const signerObeysApprovals = sql`exists (select from lode.operator_link where operator_link.hash = signer_state.ceremony)`

/** Returns null if no signer ever ran on this database. */
export async function readSignerState(db: Database): Promise<SignerState | null> {
  const { rows } = await sql<{ seen_at: Date; ceremony: Buffer | null; obeys: boolean }>`
    select seen_at, ceremony, ${signerObeysApprovals} as obeys from lode.signer_state`.execute(db)
  const [row] = rows
  return row
    ? { seenAt: row.seen_at, pinnedLink: row.ceremony && toHex(row.ceremony), obeysApprovals: row.obeys }
    : null
}

/** Called by the signer only. One signer runs at a time. */
export async function writeSignerState(connection: Database, pinnedLink: Hex | null): Promise<void> {
  await sql`
    insert into lode.signer_state (ceremony, seen_at) values (${pinnedLink && bytesOf(pinnedLink)}, lode.now())
    on conflict (only_row) do update set ceremony = excluded.ceremony, seen_at = excluded.seen_at`.execute(connection)
}
