import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database, type DatabaseConnection } from '../../platform/db/database.ts'
import { invalidSignatureOf, inventExpert } from '../../testing/invented-appointment.ts'
import { createTestOperator, signInTurn, type TestOperator } from '../../testing/operators.ts'
import { examplePlanText } from '../../testing/plan.ts'
import { readNewPostings, readVersions } from '../ledger/index.ts'
import { createOperators, type Proposal, proposeOperatorChange } from '../operators/index.ts'
import { createPlans } from '../plan/index.ts'
import { createAppointmentAirdropCheck } from './airdrop-check.ts'
import { BTN, type FixtureMember, openPartnerFixture, type PartnerFixture } from './testing/partner-fixture.ts'

const NOT_SIGNED = 'two operators of that time have not signed the decision'
const EXPERT_AIRDROP = 50_000n * BTN
const PARTNER_AIRDROP = 500_000n * BTN

let fixture: PartnerFixture
let signer: DatabaseConnection
beforeAll(async () => {
  fixture = await openPartnerFixture()
  await fixture.fund(100_000_000n * BTN)
  signer = connectDatabase(fixture.database.urlOf('lode_signer'), { name: 'signer' })
}, 60_000)
afterAll(async () => {
  await signer.close()
  await fixture.close()
})

/** What the signer finds wrong with the last airdrop of this member, read with its own database role. */
async function checkLastAirdrop({ id }: FixtureMember, ceremony = fixture.ceremony): Promise<string | null> {
  const operators = createOperators({ ...fixture.pool, ceremony })
  const plans = createPlans({ decimals: { USDT: 6, BTN: 18, BTC: 8 }, operators })
  const postings = await readNewPostings(
    signer.db,
    new Map(),
    await readVersions(signer.db, ['reserve:airdrop']),
    1_000,
  )
  const last = postings.findLast(({ transaction }) => transaction.member === id)
  if (!last) throw new Error(`member ${id} got no airdrop`)
  return createAppointmentAirdropCheck({ operators, plans })(signer.db, last.transaction)
}

async function expertBy(...signers: TestOperator[]): Promise<FixtureMember> {
  const member = await fixture.member()
  for (const by of signers) await fixture.authorise(member.wallet.account, by)
  await fixture.apply()
  return member
}

async function partnerBy(...signers: TestOperator[]): Promise<FixtureMember> {
  const member = await fixture.member()
  await fixture.activate(member)
  await fixture.invite(member, 363)
  await fixture.applyFor(member)
  for (const by of signers) await fixture.approve(member.wallet.account, by)
  await fixture.apply()
  return member
}

async function invent(sign: Parameters<typeof inventExpert>[2]['sign'], airdrop = EXPERT_AIRDROP) {
  const member = await fixture.member()
  await inventExpert(fixture, fixture.pool, { member: member.id, address: member.wallet.account, airdrop, sign })
  return member
}

const signedBy =
  (...operators: TestOperator[]) =>
  (text: string) =>
    operators.map(({ publicKey, sign }) => ({ publicKey, signature: sign(text) }))

const changeOperators = async (verb: 'add' | 'remove', who: TestOperator): Promise<void> => {
  const change = await proposeOperatorChange(fixture.owner, fixture.pool, verb, who.operator)
  if (!change.ok) throw new Error(change.error)
  await signInTurn(fixture.owner, fixture.pool, change.value, [fixture.alice, fixture.bob])
}

/** Two operators sign this about a member, as a changed command line could let them. */
async function decide(
  { wallet }: FixtureMember,
  {
    airdrop = EXPERT_AIRDROP,
    planVersion,
    verb = 'authorise-expert',
    subject = `expert:${wallet.account.toLowerCase()}`,
  }: { airdrop?: bigint; planVersion: number; verb?: 'authorise-expert' | 'approve-partner'; subject?: string },
): Promise<bigint> {
  const { account: address } = wallet
  const terms = { address, planVersion, airdrop: String(airdrop) }
  const proposal: Proposal = { verb, subject, terms, needed: 2, validHours: 24 }
  await signInTurn(fixture.owner, fixture.pool, proposal, [fixture.alice, fixture.bob])
  const { rows } = await sql<{ id: bigint }>`select max(id) as id from lode.decision`.execute(fixture.owner)
  return rows[0]?.id ?? 0n
}

/** Carries out the decision about this member without verifying it, as somebody with the worker's role could. */
async function carryOutDirectly(trx: Database, member: FixtureMember): Promise<void> {
  await fixture.give(member, { type: 'airdropForAgent', key: 'appointed:expert', amount: EXPERT_AIRDROP }, trx)
  const { rows } = await sql`
    select lode.authorise_expert(max(id)) as answer from lode.decision
    where subject = ${`expert:${member.wallet.account.toLowerCase()}`}`.execute(trx)
  expect(rows).toEqual([{ answer: 'ok' }])
}

/** The owner of the database writes the record of an appointment by hand. The worker can then post its airdrop. */
async function recordByHand(member: FixtureMember, decision: bigint): Promise<void> {
  await sql`
    insert into lode.sharing_expert (member_id, decision_id, plan_version, airdrop, airdrop_paid)
    values (${member.id}, ${decision}, 1, ${String(EXPERT_AIRDROP)}::numeric, true)`.execute(fixture.owner)
  await fixture.give(member, { type: 'airdropForAgent', key: 'appointed:expert', amount: EXPERT_AIRDROP })
}

describe('the signer’s check of an airdrop for an appointment', { timeout: 120_000 }, () => {
  it('accepts what two operators decided, also after one of them was removed and another plan began', async () => {
    const [expert, partner] = [
      await expertBy(fixture.alice, fixture.carol),
      await partnerBy(fixture.carol, fixture.bob),
    ]
    expect([await checkLastAirdrop(expert), await checkLastAirdrop(partner)]).toEqual([null, null])
    await changeOperators('remove', fixture.carol)
    await fixture.publish(examplePlanText.replace('"agentAirdrop": "50000"', '"agentAirdrop": "7"'))
    await fixture.clock.advance(8 * 86_400)
    expect([await checkLastAirdrop(expert), await checkLastAirdrop(partner)]).toEqual([null, null])
    await fixture.clock.advance(-8 * 86_400)
    await fixture.publish(examplePlanText)
    await changeOperators('add', fixture.carol)
  })

  it('refuses an appointment that the operators’ and the worker’s database roles invented', async () => {
    const { alice, bob } = fixture
    expect(await checkLastAirdrop(await invent(() => [alice, bob].map(invalidSignatureOf)))).toBe(NOT_SIGNED)
    const strangers = [createTestOperator('mallory'), createTestOperator('trudy')]
    expect(await checkLastAirdrop(await invent(signedBy(...strangers)))).toBe(NOT_SIGNED)
  })

  it('refuses an appointment that one operator signed', async () => {
    const { alice, bob } = fixture
    const byOne = await invent((text) => [...signedBy(alice)(text), invalidSignatureOf(bob)])
    expect(await checkLastAirdrop(byOne)).toBe(NOT_SIGNED)
    expect(await checkLastAirdrop(await invent(signedBy(alice, bob)))).toBeNull()
  })

  it('refuses an appointment with the signature of an operator who had been removed before', async () => {
    const { alice, bob, carol } = fixture
    const before = await invent(signedBy(alice, carol))
    const pending = await fixture.member()
    for (const by of [bob, carol]) await fixture.authorise(pending.wallet.account, by)
    await changeOperators('remove', carol)
    expect(await checkLastAirdrop(before)).toBeNull()
    expect(await checkLastAirdrop(await invent(signedBy(alice, carol)))).toBe(NOT_SIGNED)

    // Signed before the removal, and carried out after it by somebody with the worker's role.
    await fixture.worker.transaction().execute((trx) => carryOutDirectly(trx, pending))
    expect(await checkLastAirdrop(pending)).toBe(NOT_SIGNED)
    await changeOperators('add', carol)
  })

  it('refuses a signature that a removed operator added, even in a database transaction that began before', async () => {
    const { bob, carol } = fixture
    const member = await fixture.member()
    await fixture.authorise(member.wallet.account, bob)
    await fixture.worker.transaction().execute(async (trx) => {
      await sql`select lode.now()`.execute(trx)
      await changeOperators('remove', carol)
      const { rows } = await sql<{ id: bigint; body: string }>`
        select id, body from lode.decision order by id desc offset 1 limit 1`.execute(fixture.desk)
      const [decision] = rows
      await sql`
        insert into lode.decision_signature (decision_id, place, operator, signature)
        values (${decision?.id}, 2, ${Buffer.from(carol.publicKey, 'hex')}, ${carol.sign(decision?.body ?? '')})`.execute(
        fixture.desk,
      )
      await carryOutDirectly(trx, member)
    })
    expect(await checkLastAirdrop(member)).toBe(NOT_SIGNED)
    await changeOperators('add', carol)
  })

  it('refuses another amount than that of the plan, even if two operators signed it', async () => {
    const tooMuch = await invent(signedBy(fixture.alice, fixture.bob), EXPERT_AIRDROP + 1n)
    expect(await checkLastAirdrop(tooMuch)).toContain('gives this member an airdrop')
  })
})

describe('the owner of the database', { timeout: 60_000 }, () => {
  it('cannot make the signer accept a decision about another member, appointment, amount or plan, or an expired one', async () => {
    const planVersion = await fixture.publish(examplePlanText.replace('"quoteMinutes": 30', '"quoteMinutes": 31'))
    const [right, other, kind, amount, plan, expired] = [
      await fixture.member(),
      await fixture.member(),
      await fixture.member(),
      await fixture.member(),
      await fixture.member(),
      await fixture.member(),
    ]
    await recordByHand(right, await decide(right, { planVersion }))
    expect(await checkLastAirdrop(right)).toBeNull()
    await recordByHand(other, await decide(await fixture.member(), { planVersion }))
    expect(await checkLastAirdrop(other)).toBe('the operators decided about something else')
    await recordByHand(kind, await decide(kind, { planVersion, verb: 'approve-partner' }))
    expect(await checkLastAirdrop(kind)).toBe('the operators decided about something else')
    await recordByHand(amount, await decide(amount, { planVersion, airdrop: 1n }))
    expect(await checkLastAirdrop(amount)).toContain('gives this member an airdrop')
    await recordByHand(plan, await decide(plan, { planVersion: 1 }))
    expect(await checkLastAirdrop(plan)).toBe('plan 1 was not in force at the second signature')
    const decision = await decide(expired, { planVersion })
    await fixture.clock.advance(86_400)
    await recordByHand(expired, decision)
    expect(await checkLastAirdrop(expired)).toBe('the decision had expired')
  })

  it('cannot make the signer accept a second airdrop, or one without a record', async () => {
    const expert = await expertBy(fixture.alice, fixture.bob)
    const stranger = await fixture.member()
    const disable = (how: 'disable' | 'enable always') =>
      sql`alter table lode.ledger_transaction ${sql.raw(how)} trigger check_cause`.execute(fixture.owner)
    await disable('disable')
    await fixture.give(expert, { type: 'airdropForAgent', key: 'appointed:again', amount: EXPERT_AIRDROP })
    await fixture.give(stranger, { type: 'airdropForPartner', key: 'appointed:partner', amount: PARTNER_AIRDROP })
    await disable('enable always')
    expect(await checkLastAirdrop(expert)).toBe('its key is not that of an appointment')
    expect(await checkLastAirdrop(stranger)).toBe('there is no such appointment')
  })

  it('cannot make the signer accept an approval of another application or of another member', async () => {
    const partner = await partnerBy(fixture.alice, fixture.bob)
    expect(await checkLastAirdrop(partner)).toBeNull()
    const { rows } = await sql<{ id: bigint }>`
      select id from lode.partner_application where member_id = ${partner.id}`.execute(fixture.owner)
    const [subject, verb] = [`partner:${rows[0]?.id}`, 'approve-partner'] as const
    for (const decision of [
      await decide(partner, { planVersion: 1, verb, subject: 'partner:999999' }),
      await decide(await fixture.member(), { planVersion: 1, verb, subject }),
    ]) {
      await sql`
        update lode.partner_application set decision_id = ${decision} where member_id = ${partner.id}`.execute(
        fixture.owner,
      )
      expect(await checkLastAirdrop(partner)).toBe('the operators decided about something else')
    }
  })

  it('cannot make the signer accept the operators of another ceremony', async () => {
    const expert = await expertBy(fixture.alice, fixture.bob)
    expect(await checkLastAirdrop(expert)).toBeNull()
    expect(await checkLastAirdrop(expert, `0x${'ab'.repeat(32)}`)).toContain('the operator chain does not verify')
  })
})
