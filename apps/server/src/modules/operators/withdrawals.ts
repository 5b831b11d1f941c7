import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { parseBody } from './decision.ts'
import { isForPool, type PoolIdentity } from './operator-chain.ts'
import { isSignedBy } from './signature.ts'

/** `false`: somebody without the first signer's key stored it. The database then refuses signatures until the repair. */
export type Withdrawal = 'valid' | 'false'

type Row = { id: bigint; text: string; text_hash: Buffer; operator: Buffer; signature: Buffer }

/** The withdrawals of these decisions by their first signers, with the number of the decision as key. */
export async function readWithdrawals(
  db: Database,
  pool: PoolIdentity,
  decisions: readonly bigint[],
): Promise<Map<bigint, Withdrawal>> {
  const found = new Map<bigint, Withdrawal>()
  if (decisions.length === 0) return found
  const { rows } = await sql<Row>`
    select asked.id, stored.body as text, stored.body_hash as text_hash, stored.operator, stored.signature
    from unnest(${decisions}::bigint[]) as asked (id)
    cross join lateral lode.withdrawals_of(asked.id) as stored`.execute(db)
  for (const row of rows) if (found.get(row.id) !== 'valid') found.set(row.id, isValid(row, pool) ? 'valid' : 'false')
  return found
}

function isValid({ id, text, text_hash, operator, signature }: Row, pool: PoolIdentity): boolean {
  const body = parseBody(text)
  if (body?.verb !== 'withdraw' || !isForPool(body, pool) || body.subject !== `decision:${id}`) return false
  return body.text === text_hash.toString('hex') && isSignedBy(operator.toString('hex'), text, signature)
}

/** The public key of the operator who signed this decision first. Only this operator can withdraw it. */
export async function readFirstSigner(db: Database, decision: bigint): Promise<string | null> {
  const { rows } = await sql<{ operator: Buffer }>`
    select operator from lode.decision_signature where decision_id = ${decision} and place = 1`.execute(db)
  return rows[0]?.operator.toString('hex') ?? null
}
