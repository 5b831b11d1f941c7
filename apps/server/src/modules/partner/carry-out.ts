import { ok, type Result, refused, units } from '@lode/kernel'
import { sql } from 'kysely'
import { bytesOf } from '../../platform/chain/column.ts'
import type { Database } from '../../platform/db/database.ts'
import { post, type Transaction } from '../ledger/index.ts'
import { TWO, type VerifiedDecision } from '../operators/index.ts'
import { lockPlaces } from '../promotion/index.ts'
import { type Appointment, isAbout } from './rules.ts'

/**
 * Carries out a decision about a member, together with its airdrop, inside the caller's transaction. Returns null if
 * two operators have not signed yet, or a refusal with the reason.
 *
 * It locks the member's place first. So a promotion by a member below is settled either before or after it, and another
 * decision about this member waits.
 */
export async function carryOutAppointment(
  inside: Database,
  decision: VerifiedDecision<Appointment>,
): Promise<Result<null, string> | null> {
  if (decision.operators.length < TWO) return null
  const { body } = decision
  if (!isAbout(decision)) return refused(reasons.unknown)
  const { rows } = await sql<{ id: bigint }>`
    select id from lode.member where account = ${bytesOf(body.address)}`.execute(inside)
  const member = rows[0]?.id
  if (member === undefined) return refused(reasons.unknown)
  await lockPlaces(inside, [member])
  const airdrop = airdropPosting(member, body)
  if (airdrop) {
    const [posted] = await post(inside, [airdrop])
    if (posted?.outcome === 'conflict') return refused(reasons.already)
  }
  const answer = await record(inside, decision)
  return answer === 'ok' || answer === 'done' ? ok(null) : refused(reasons[answer])
}

const reasons = {
  unknown: 'there is no such member, or no such application of its',
  already: 'it was decided before',
  expired: 'it expired before it was carried out',
  plan: 'another version of the plan was in force at the second signature',
  missing: 'the member is not activated, or its five layers are not full',
} as const

const functions = {
  'authorise-expert': sql`lode.authorise_expert`,
  'approve-partner': sql`lode.approve_partner`,
  'reject-partner': sql`lode.reject_partner`,
} as const

async function record(
  inside: Database,
  { id, body }: VerifiedDecision<Appointment>,
): Promise<'ok' | 'done' | keyof typeof reasons> {
  const { rows } = await sql<{ answer: 'ok' | 'done' | keyof typeof reasons }>`
    select ${functions[body.verb]}(${id}) as answer`.execute(inside)
  const [row] = rows
  if (!row) throw new Error('the database did not answer')
  return row.answer
}

/** The airdrop is posted once and in full. Null if there is none. */
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
