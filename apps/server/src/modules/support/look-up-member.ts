import { sql } from 'kysely'
import type { Address } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { canonicalJson, type PoolIdentity, type SecretKey } from '../operators/index.ts'
import { type MemberDocument, memberDocument } from './member-document.ts'

/**
 * Looks up a member for an operator who must answer a question. First it stores a signed line of the trail, in a
 * transaction of its own: the database answers only for a line that is committed.
 */
export async function lookUpMember(
  db: Database,
  pool: PoolIdentity,
  { account, note, key }: { readonly account: Address; readonly note: string; readonly key: SecretKey },
): Promise<MemberDocument> {
  const { rows: clock } = await sql<{ now: Date }>`select lode.now() as now`.execute(db)
  const at = clock[0]?.now.toISOString() ?? ''
  const text = canonicalJson({ ...pool, verb: 'look-up', address: account, note, at })
  const { rows: noted } = await sql<{ id: bigint }>`
    select lode.note_member_look(
      ${bytesOf(account)}, ${Buffer.from(key.publicKey, 'hex')}, ${note}, ${text}, ${key.sign(text)}) as id`.execute(db)
  const { rows } = await sql<{ document: unknown }>`
    select lode.look_up_member(${noted[0]?.id}) as document`.execute(db)
  return memberDocument.parse(rows[0]?.document)
}
