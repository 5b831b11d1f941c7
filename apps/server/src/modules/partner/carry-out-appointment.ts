import { ok, type Result, refused, units } from '@lode/kernel'
import { sql } from 'kysely'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { post, type Transaction } from '../ledger/index.ts'
import { SIGNATURES_NEEDED, type VerifiedDecision } from '../operators/index.ts'
import { lockPlaces } from '../promotion/index.ts'
import { type Appointment, hasMatchingSubject } from './rules.ts'

/**
 * Carries out a decision about a member, together with its airdrop, inside the caller's transaction. Returns null if
 * two operators have not signed yet, or a refusal with the reason. After a refusal the caller rolls back, because the
 * airdrop may be posted already.
 *
 * It locks the member's place first. So a promotion by a member below is settled either before or after this decision,
 * and another decision about the same member waits.
 */
export async function carryOutAppointment(
  trx: Database,
  decision: VerifiedDecision<Appointment>,
): Promise<Result<null, string> | null> {
  if (decision.signers.length < SIGNATURES_NEEDED) return null
  const { body } = decision
  if (!hasMatchingSubject(decision)) return refused(refusalReasons.unknown)
  const { rows } = await sql<{ id: bigint }>`
    select id from lode.member where account = ${bytesOf(body.address)}`.execute(trx)
  const member = rows[0]?.id
  if (member === undefined) return refused(refusalReasons.unknown)
  await lockPlaces(trx, [member])
  const airdrop = airdropPosting(member, body)
  if (airdrop) {
    const [posted] = await post(trx, [airdrop])
    if (posted?.outcome === 'conflict') return refused(refusalReasons.already)
  }
  const answer = await recordDecision(trx, decision)
  return answer === 'ok' || answer === 'done' ? ok(null) : refused(refusalReasons[answer])
}

const refusalReasons = {
  unknown: 'there is no such member, or it has no such application',
  already: 'it was decided before',
  expired: 'it expired before it was carried out',
  plan: 'another version of the plan was in force at the second signature',
  missing: 'the member is not activated, or its five layers are not full',
} as const

const decisionFunctions = {
  'authorise-expert': sql`lode.authorise_expert`,
  'approve-partner': sql`lode.approve_partner`,
  'reject-partner': sql`lode.reject_partner`,
} as const

async function recordDecision(
  trx: Database,
  { id, body }: VerifiedDecision<Appointment>,
): Promise<'ok' | 'done' | keyof typeof refusalReasons> {
  const { rows } = await sql<{ answer: 'ok' | 'done' | keyof typeof refusalReasons }>`
    select ${decisionFunctions[body.verb]}(${id}) as answer`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('the SQL function returned no row')
  return row.answer
}

/** The airdrop is posted once, in full or not at all. Null if the decision gives none. */
function airdropPosting(member: bigint, body: Appointment): Transaction | null {
  if (body.verb === 'reject-partner' || body.airdrop === '0') return null
  const move = { asset: 'BTN', amount: units('BTN', BigInt(body.airdrop)), from: 'reserve:airdrop' } as const
  if (body.verb === 'authorise-expert') {
    const key = 'appointed:expert'
    const to = { kind: 'available', member, line: { type: 'airdropForAgent', operation: key } } as const
    return { type: 'airdropForAgent', member, key, moves: [{ ...move, to }] }
  }
  const key = 'appointed:partner'
  const to = { kind: 'available', member, line: { type: 'airdropForPartner', operation: key } } as const
  return { type: 'airdropForPartner', member, key, moves: [{ ...move, to }] }
}
