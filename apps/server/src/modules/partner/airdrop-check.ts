import { sql } from 'kysely'
import { type Address, isAddressEqual } from 'viem'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { isAirdrop, type PostedTransaction } from '../ledger/index.ts'
import type { Operators } from '../operators/index.ts'
import type { Plans } from '../plan/index.ts'
import { applicationSubject, expertSubject } from './rules.ts'

type Dependencies = { readonly operators: Operators; readonly plans: Plans }

/**
 * Checks the airdrop of an appointment in the ledger. Two of the operators at the time of the airdrop must have signed
 * the appointment of this member, and the amount must be that of the plan in force at the second signature. Returns
 * what is wrong as text, or null.
 *
 * The database compares the airdrop with the record of the appointment, but it cannot verify a signature. A
 * thief of two database roles could therefore store a decision, carry it out and appoint anybody. The signer calls this
 * with operators and plans whose signatures it verifies. The record only tells which decision to verify.
 */
export const createAppointmentAirdropCheck =
  ({ operators, plans }: Dependencies) =>
  async (db: Database, posted: PostedTransaction): Promise<string | null> => {
    const { type, member, key, postedAt } = posted
    // The key is used once for each member, so nobody gets an airdrop twice.
    if (key !== (type === 'airdropForAgent' ? 'appointed:expert' : 'appointed:partner'))
      return 'its key is not that of an appointment'
    const appointment = type === 'airdropForAgent' ? await readExpert(db, member) : await readPartner(db, member)
    if (!appointment) return 'there is no such appointment'
    const decision = await operators.readCarriedOut(db, appointment.decisionId, postedAt)
    if (!decision.ok) return decision.error
    const { body, signedAt } = decision.value
    if (
      (body.verb !== 'authorise-expert' && body.verb !== 'approve-partner') ||
      body.verb !== appointment.verb ||
      body.subject !== appointment.subject ||
      !isAddressEqual(body.address, appointment.address)
    )
      return 'the operators decided about something else'
    const { planVersion } = body
    if ((await readVersionInForce(db, signedAt)) !== planVersion)
      return `plan ${planVersion} was not in force at the second signature`
    const plan = await plans.byVersion(db, planVersion)
    const airdrop = body.verb === 'authorise-expert' ? plan?.agentAirdrop : plan?.partnerAirdrop
    if (airdrop === undefined) return `two operators have not signed plan ${planVersion}`
    return body.airdrop === String(airdrop) && isAirdrop(posted, 'reserve:airdrop', airdrop)
      ? null
      : `plan ${planVersion} gives this member an airdrop of ${airdrop}`
  }

type RecordedAppointment = {
  readonly verb: 'authorise-expert' | 'approve-partner'
  readonly subject: string
  readonly address: Address
  readonly decisionId: bigint
}

async function readExpert(db: Database, member: bigint): Promise<RecordedAppointment | null> {
  const { rows } = await sql<{ account: Buffer; decision_id: bigint }>`
    select member.account, expert.decision_id
    from lode.sharing_expert expert join lode.member on member.id = expert.member_id
    where expert.member_id = ${member}`.execute(db)
  const [row] = rows
  if (!row) return null
  const address = addressFromColumn(row.account)
  return { verb: 'authorise-expert', subject: expertSubject(address), address, decisionId: row.decision_id }
}

async function readPartner(db: Database, member: bigint): Promise<RecordedAppointment | null> {
  const { rows } = await sql<{ account: Buffer; application: bigint; decision_id: bigint }>`
    select member.account, application.id as application, application.decision_id
    from lode.partner
    join lode.partner_application application
      on application.id = partner.application_id and application.member_id = partner.member_id
    join lode.member on member.id = partner.member_id
    where partner.member_id = ${member} and application.decision_id is not null`.execute(db)
  const [row] = rows
  if (!row) return null
  return {
    verb: 'approve-partner',
    subject: applicationSubject(row.application),
    address: addressFromColumn(row.account),
    decisionId: row.decision_id,
  }
}

async function readVersionInForce(db: Database, at: Date): Promise<number | null> {
  const { rows } = await sql<{ version: number | null }>`select lode.plan_in_force(${at}) as version`.execute(db)
  return rows[0]?.version ?? null
}
