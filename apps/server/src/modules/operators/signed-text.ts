import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'

/** Texts that are too long for a decision. A decision has the sha256 of such a text, so the signatures cover it. */

export async function storeSignedText(trx: Database, text: string): Promise<void> {
  await sql`insert into lode.signed_text (body) values (${text}) on conflict do nothing`.execute(trx)
}

/** `hash` is 64 hexadecimal digits. Null if no text has it. */
export async function readSignedText(db: Database, hash: string): Promise<string | null> {
  const { rows } = await sql<{ body: string }>`
    select body from lode.signed_text where hash = ${Buffer.from(hash, 'hex')}`.execute(db)
  return rows[0]?.body ?? null
}
