import { randomUUID } from 'node:crypto'
import { units } from '@lode/kernel'
import { sql } from 'kysely'
import type { Address } from 'viem'
import { post } from '../modules/ledger/index.ts'
import { canonicalJson, type PoolIdentity } from '../modules/operators/index.ts'
import type { Database } from '../platform/db/database.ts'

type GivenSignature = { readonly publicKey: string; readonly signature: Buffer }

type InventedAppointment = {
  readonly member: bigint
  readonly address: Address
  readonly airdrop: bigint
  readonly sign: (text: string) => readonly GivenSignature[]
}

/** Bytes that look like a signature of this key. */
export const invalidSignatureOf = ({ publicKey }: { readonly publicKey: string }): GivenSignature => ({
  publicKey,
  signature: Buffer.alloc(64, 0xab),
})

/**
 * A thief with the passwords of `lode_operator` and `lode_worker` appoints a sharing expert: stores a decision with
 * these signatures, posts the airdrop, and records the appointment as the worker would. The database accepts it, because
 * it cannot verify a signature.
 */
export async function inventExpert(
  { desk, worker }: { readonly desk: Database; readonly worker: Database },
  pool: PoolIdentity,
  { member, address, airdrop, sign }: InventedAppointment,
): Promise<void> {
  const subject = `expert:${address.toLowerCase()}`
  const expiry = new Date(Date.now() + 2 * 86_400_000).toISOString()
  const terms = { address, planVersion: await readPlanVersion(worker), airdrop: String(airdrop) }
  const text = canonicalJson({ ...pool, verb: 'authorise-expert', subject, expiry, nonce: randomUUID(), ...terms })
  const decision = await insertDecision(desk, { subject, text, expiry, signatures: sign(text) })
  await worker.transaction().execute(async (trx) => {
    const key = 'appointed:expert'
    const to = { kind: 'available', member, line: { type: 'airdropForAgent', operation: key } } as const
    const move = { asset: 'BTN', amount: units('BTN', airdrop), from: 'reserve:airdrop', to } as const
    const [posted] = await post(trx, [{ type: 'airdropForAgent', member, key, moves: [move] }])
    const { rows } = await sql<{ answer: string }>`select lode.authorise_expert(${decision}) as answer`.execute(trx)
    if (posted?.outcome !== 'posted' || rows[0]?.answer !== 'ok')
      throw new Error(`the database did not accept it: ${posted?.outcome}, ${rows[0]?.answer}`)
  })
}

async function readPlanVersion(db: Database): Promise<number> {
  const { rows } = await sql<{ version: number }>`select lode.plan_in_force() as version`.execute(db)
  if (!rows[0]) throw new Error('lode.plan_in_force() returned no row')
  return rows[0].version
}

async function insertDecision(
  desk: Database,
  {
    subject,
    text,
    expiry,
    signatures,
  }: { subject: string; text: string; expiry: string; signatures: readonly GivenSignature[] },
): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    insert into lode.decision (subject, verb, body, expires_at) values (${subject}, 'authorise-expert', ${text}, ${expiry})
    returning id`.execute(desk)
  const [row] = rows
  if (!row) throw new Error('the decision was not stored')
  for (const [index, { publicKey, signature }] of signatures.entries())
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      values (${row.id}, ${index + 1}, ${Buffer.from(publicKey, 'hex')}, ${signature})`.execute(desk)
  return row.id
}
