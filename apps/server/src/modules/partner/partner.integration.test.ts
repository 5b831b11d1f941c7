import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectAttacker } from '../../testing/attacker-fixture.ts'
import { disableMember } from '../../testing/disabled-member.ts'
import { signInTurn } from '../../testing/operators.ts'
import { examplePlanText } from '../../testing/plan.ts'
import { createTestWallet } from '../../testing/wallet.ts'
import { audit, readBalances, readSystemBalances } from '../ledger/index.ts'
import { proposeOperatorChange } from '../operators/index.ts'
import { listExperts, listPartners, listRefusedAppointments, listWaitingApplications } from './queries.ts'
import { BTN, type FixtureMember, openPartnerFixture, type PartnerFixture } from './testing/partner-fixture.ts'

const FULL = 363

let fixture: PartnerFixture
beforeAll(async () => {
  fixture = await openPartnerFixture()
  await fixture.fund(10_000_000n * BTN)
}, 60_000)
afterAll(() => fixture.close())

const btn = async ({ id }: FixtureMember) => (await readBalances(fixture.owner, id)).BTN.available
const reserve = async () => (await readSystemBalances(fixture.owner))('reserve:airdrop', 'BTN')

/** An activated member with five full layers. */
async function leader(): Promise<FixtureMember> {
  const member = await fixture.member()
  await fixture.activate(member)
  await fixture.invite(member, FULL)
  return member
}

async function applicant(): Promise<FixtureMember> {
  const member = await leader()
  expect((await fixture.applyFor(member)).status).toBe(200)
  return member
}

describe('a sharing expert', { timeout: 60_000 }, () => {
  it('is authorized once, by two different operators, and gets the plan’s airdrop', async () => {
    const member = await fixture.member()
    const { account } = member.wallet
    const before = await reserve()
    expect(await fixture.authorise(account, fixture.alice)).toBe(1)
    expect(await fixture.authorise(account, fixture.alice)).toContain('signed it already')
    expect(await fixture.apply()).toMatchObject({ done: 0 })
    expect(await listExperts(fixture.owner)).toEqual([])

    expect(await fixture.authorise(account, fixture.bob)).toBe(2)
    const applied = await Promise.all([fixture.apply(), fixture.apply(), fixture.apply()])
    expect(applied.every(({ refused }) => refused === 0)).toBe(true)
    expect(await btn(member)).toBe(50_000n * BTN)
    expect(await reserve()).toBe(before - 50_000n * BTN)
    expect(await listExperts(fixture.owner)).toMatchObject([
      { address: account, airdrop: 50_000n * BTN, airdropPaid: true },
    ])
    const overview = await fixture.api.call('promotion/overview', { account }, { token: member.token })
    expect(overview.body.data.thanksgiving).toMatchObject({ expert: true })
    const log = await fixture.api.call('wallet/log', { account, symbol: 'BTN' }, { token: member.token })
    expect(log.body.data.lines).toMatchObject([{ type: 'airdropForAgent', amount: '50000', status: 'confirmed' }])

    expect(await fixture.authorise(account, fixture.carol)).toBe(`${account} is a sharing expert already.`)
    const stranger = createTestWallet().account
    expect(await fixture.authorise(stranger, fixture.alice)).toBe(`${stranger} is not the address of a member.`)
  })

  it('gets the airdrop in full or not at all, and the record says which', async () => {
    const member = await fixture.member()
    const held = await reserve()
    await fixture.publish(examplePlanText.replace('"agentAirdrop": "50000"', '"agentAirdrop": "20000000"'))
    for (const by of [fixture.alice, fixture.carol]) await fixture.authorise(member.wallet.account, by)
    expect(await fixture.apply()).toMatchObject({ done: 1 })
    expect((await listExperts(fixture.owner))[0]).toMatchObject({ airdrop: 20_000_000n * BTN, airdropPaid: false })
    expect([await btn(member), await reserve()]).toEqual([0n, held])

    const free = await fixture.member()
    await fixture.publish(examplePlanText.replace('"agentAirdrop": "50000"', '"agentAirdrop": "0"'))
    for (const by of [fixture.alice, fixture.carol]) await fixture.authorise(free.wallet.account, by)
    expect(await fixture.apply()).toMatchObject({ done: 1 })
    expect((await listExperts(fixture.owner))[0]).toMatchObject({ airdrop: 0n, airdropPaid: null })
    await fixture.publish(examplePlanText)
  })

  it('gets the airdrop of the plan in force at the second signature', async () => {
    const member = await fixture.member()
    expect(await fixture.authorise(member.wallet.account, fixture.alice)).toBe(1)
    await fixture.publish(examplePlanText.replace('"agentAirdrop": "50000"', '"agentAirdrop": "7"'))
    // Alice's signature names the plan of that time, so Bob begins a new decision.
    expect(await fixture.authorise(member.wallet.account, fixture.bob)).toBe(1)
    expect(await fixture.apply()).toMatchObject({ done: 0 })
    expect(await fixture.authorise(member.wallet.account, fixture.alice)).toBe(2)
    expect(await fixture.apply()).toMatchObject({ done: 1 })
    expect(await btn(member)).toBe(7n * BTN)
    await fixture.publish(examplePlanText)
  })
})

describe('an application to be a partner', { timeout: 120_000 }, () => {
  it('is refused with what is missing, and how many members', async () => {
    const member = await fixture.member()
    expect(await fixture.status(member)).toMatchObject({
      standing: 'none',
      appliedAt: null,
      decidedAt: null,
      note: null,
      activated: false,
      mayApply: false,
      airdrop: { amount: '500000', paid: null },
    })
    expect((await fixture.applyFor(member)).body.reason).toBe('partner-not-activated')
    await fixture.activate(member)
    await fixture.invite(member, FULL - 1)
    expect(await fixture.status(member)).toMatchObject({
      activated: true,
      mayApply: false,
      layers: [
        { layer: 1, members: 3, needed: 3 },
        { layer: 2, members: 9, needed: 9 },
        { layer: 3, members: 27, needed: 27 },
        { layer: 4, members: 81, needed: 81 },
        { layer: 5, members: 242, needed: 243 },
      ],
    })
    const key = randomUUID()
    expect((await fixture.applyFor(member, key)).body.reason).toBe('partner-layers-open')
    await fixture.invite(member, 1)
    expect(await fixture.status(member)).toMatchObject({ mayApply: true })
    // The first key keeps its stored refusal. A new key is accepted.
    expect((await fixture.applyFor(member, key)).body.reason).toBe('partner-layers-open')
    expect((await fixture.applyFor(member)).body.data).toMatchObject({ standing: 'applied', mayApply: false })
  })

  it('is made once, even if the button is pressed several times at the same moment', async () => {
    const member = await leader()
    const key = randomUUID()
    const same = await Promise.all(Array.from({ length: 5 }, () => fixture.applyFor(member, key)))
    expect(same.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const others = await Promise.all(Array.from({ length: 5 }, () => fixture.applyFor(member)))
    expect(others.map(({ body }) => body.reason)).toEqual(Array(5).fill('partner-applied'))
    const { rows } = await sql`
      select id from lode.partner_application where member_id = ${member.id}`.execute(fixture.owner)
    expect(rows).toHaveLength(1)

    const another = await leader()
    const answers = await Promise.all(Array.from({ length: 5 }, () => fixture.applyFor(another)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  })

  it('cannot be made by a disabled account', async () => {
    const member = await leader()
    await disableMember(fixture.owner, member.wallet.account)
    const { rows } = await sql`select lode.apply_for_partner(${member.id}) as answer`.execute(fixture.apiRole)
    expect(rows).toEqual([{ answer: 'account-disabled' }])
  })

  it('is approved once, by two different operators, and brings the plan’s airdrop', async () => {
    const member = await applicant()
    const { account } = member.wallet
    expect(await listWaitingApplications(fixture.owner, fixture.operators)).toContainEqual({
      address: account,
      appliedAt: expect.any(Date),
      pendingDecisions: [],
    })
    const before = await reserve()
    expect(await fixture.approve(account, fixture.alice)).toBe(1)
    expect(await fixture.approve(account, fixture.alice)).toContain('signed it already')
    expect(await fixture.apply()).toMatchObject({ done: 0 })
    expect(await fixture.status(member)).toMatchObject({ standing: 'applied' })
    expect(await fixture.approve(account, fixture.carol)).toBe(2)
    await Promise.all([fixture.apply(), fixture.apply()])

    expect(await fixture.status(member)).toMatchObject({
      standing: 'approved',
      decidedAt: expect.any(String),
      note: null,
      mayApply: false,
      airdrop: { amount: '500000', paid: true },
    })
    expect([await btn(member), await reserve()]).toEqual([500_000n * BTN, before - 500_000n * BTN])
    expect((await listPartners(fixture.owner))[0]).toMatchObject({ address: account, airdropPaid: true })
    const { rows } = await sql<{ approved_day: number; today: number }>`
      select approved_day, floor(extract(epoch from lode.now()) / 86400)::int as today
      from lode.partner where member_id = ${member.id}`.execute(fixture.owner)
    expect(rows[0]?.approved_day).toBe(rows[0]?.today)

    expect((await fixture.applyFor(member)).body.reason).toBe('partner-approved')
    expect(await fixture.approve(account, fixture.bob)).toContain('No application')
    const log = await fixture.api.call('wallet/log', { account, symbol: 'BTN' }, { token: member.token })
    expect(log.body.data.lines).toMatchObject([{ type: 'airdropForPartner', amount: '500000' }])
  })

  it('is rejected with a note that the member can read, and can be made again', async () => {
    const member = await applicant()
    const { account } = member.wallet
    expect(await fixture.reject(account, fixture.alice)).toContain('say what for')
    expect(await fixture.reject(account, fixture.alice, 'talk to us first')).toBe(1)
    // The second operator need not repeat the reason.
    expect(await fixture.reject(account, fixture.bob)).toBe(2)
    expect(await fixture.apply()).toMatchObject({ done: 1 })
    expect(await fixture.status(member)).toMatchObject({
      standing: 'rejected',
      note: 'talk to us first',
      mayApply: true,
      airdrop: { paid: null },
    })
    expect((await fixture.applyFor(member)).body.data).toMatchObject({
      standing: 'applied',
      note: null,
      decidedAt: null,
    })

    // The decision about the first application does not count for the second.
    expect(await fixture.apply()).toMatchObject({ done: 0, refused: 0 })
    expect(await fixture.approve(account, fixture.alice)).toBe(1)
    expect(await fixture.approve(account, fixture.bob)).toBe(2)
    await fixture.apply()
    expect(await fixture.status(member)).toMatchObject({ standing: 'approved' })
    expect(await btn(member)).toBe(500_000n * BTN)
  })

  it('gets the decision that two operators completed first', async () => {
    const member = await applicant()
    const { account } = member.wallet
    expect(await fixture.approve(account, fixture.alice)).toBe(1)
    expect(await fixture.reject(account, fixture.bob, 'no')).toContain('approve a partner, signed by')
    expect(await fixture.rejectAnyway(account, fixture.bob, 'no')).toBe(1)
    expect((await listWaitingApplications(fixture.owner, fixture.operators)).at(-1)?.pendingDecisions).toEqual([
      { verb: 'approve', signers: [expect.any(String)] },
      { verb: 'reject', signers: [expect.any(String)] },
    ])
    // Each operator completes one of the two decisions at the same moment.
    const answers = await Promise.all([fixture.approve(account, fixture.carol), fixture.reject(account, fixture.alice)])
    expect(answers.toSorted()).toEqual([2, 'Two operators have decided about this already.'])
    expect(await fixture.apply()).toMatchObject({ done: 1, refused: 0 })
    const { standing } = await fixture.status(member)
    expect(standing).toBe(answers[0] === 2 ? 'approved' : 'rejected')
    expect(await btn(member)).toBe(standing === 'approved' ? 500_000n * BTN : 0n)
  })

  it('is not approved with the signature of a removed operator, or after the decision expired', async () => {
    const member = await applicant()
    const { account } = member.wallet
    await fixture.approve(account, fixture.alice)
    await fixture.approve(account, fixture.carol)
    const removal = await proposeOperatorChange(fixture.owner, fixture.pool, 'remove', fixture.carol.operator)
    if (!removal.ok) throw new Error(removal.error)
    await signInTurn(fixture.owner, fixture.pool, removal.value, [fixture.alice, fixture.bob])
    expect(await fixture.apply()).toMatchObject({ done: 0 })
    expect(await fixture.approve(account, fixture.bob)).toBe(2)
    await fixture.clock.advance(7 * 86_400 + 1)
    expect(await fixture.apply()).toMatchObject({ done: 0 })
    expect(await listPartners(fixture.owner)).not.toContainEqual(expect.objectContaining({ address: account }))
    // Calls the function as a worker would that does not check the expiry.
    const { rows } = await sql<{ answer: string }>`
      select lode.approve_partner(max(id)) as answer from lode.decision where verb = 'approve-partner'`.execute(
      fixture.worker,
    )
    expect(rows[0]?.answer).toBe('expired')
  })

  it('leaves a ledger without audit findings', async () => {
    expect((await audit(fixture.owner)).findings).toEqual([])
    expect(
      await listRefusedAppointments(fixture.owner, ['authorise-expert', 'approve-partner', 'reject-partner']),
    ).toEqual([])
  })
})

describe('an attacker with a process’s database role', { timeout: 60_000 }, () => {
  const failing = async (statement: ReturnType<typeof sql>, db = fixture.worker): Promise<string> => {
    try {
      await statement.execute(db)
      return 'it was done'
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
  }

  it('cannot appoint anyone', async () => {
    const member = await applicant()
    const { account } = member.wallet
    await fixture.approve(account, fixture.alice)
    await fixture.authorise(account, fixture.alice)
    for (const db of [fixture.apiRole, fixture.worker, fixture.desk])
      for (const statement of [
        sql`insert into lode.sharing_expert (member_id, decision_id, plan_version, airdrop) values (${member.id}, 1, 1, 0)`,
        sql`insert into lode.partner (member_id, application_id, approved_day, plan_version, airdrop) values (${member.id}, 1, 1, 1, 0)`,
        sql`update lode.partner_application set decided_at = lode.now()`,
        sql`delete from lode.partner_application`,
      ])
        expect(await failing(statement, db)).toContain('permission denied')
    for (const [name, verb] of [
      ['authorise_expert', 'authorise-expert'],
      ['approve_partner', 'approve-partner'],
      ['reject_partner', 'reject-partner'],
    ] as const) {
      const call = sql`select ${sql.raw(`lode.${name}`)}(max(id)) from lode.decision where verb = ${verb}`
      for (const db of [fixture.apiRole, fixture.desk]) expect(await failing(call, db)).toContain('permission denied')
    }
    // These decisions have one signature each.
    const { rows } = await sql<{ id: bigint }>`
      select id from lode.decision where body like ${`%${account}%`}`.execute(fixture.owner)
    expect(rows).toHaveLength(2)
    for (const { id } of rows)
      for (const name of ['authorise_expert', 'approve_partner', 'reject_partner'])
        expect(await failing(sql`select ${sql.raw(`lode.${name}`)}(${id})`)).toContain('two operators have not signed')
    expect(await fixture.status(member)).toMatchObject({ standing: 'applied' })
  })

  it('cannot post an airdrop, not even as the worker', async () => {
    const member = await applicant()
    const before = await reserve()
    const give = (type: 'airdropForAgent' | 'airdropForPartner', key: string) =>
      fixture.give(member, { type, key, amount: 1_000n })
    for (const type of ['airdropForAgent', 'airdropForPartner'] as const)
      for (const key of ['appointed:expert', 'appointed:partner', randomUUID()])
        await expect(give(type, key)).rejects.toThrow('has no cause that explains it')
    expect(await reserve()).toBe(before)

    // Nor can the worker give another amount than decided, or skip an airdrop that the reserve can pay.
    for (const by of [fixture.alice, fixture.bob]) await fixture.approve(member.wallet.account, by)
    const approve = sql`select lode.approve_partner(max(id)) from lode.decision where verb = 'approve-partner'`
    expect(await failing(approve)).toContain('the reserve can pay the airdrop')
    await expect(
      fixture.worker.transaction().execute(async (trx) => {
        await fixture.give(member, { type: 'airdropForPartner', key: 'appointed:partner', amount: 1_000n }, trx)
        await approve.execute(trx)
      }),
    ).rejects.toThrow('has no cause that explains it')
    expect(await fixture.apply()).toMatchObject({ done: 1 })
    expect(await btn(member)).toBe(500_000n * BTN)
    await expect(give('airdropForPartner', randomUUID())).rejects.toThrow('has no cause that explains it')
  })

  it('cannot decide anything with the operators’ database role', async () => {
    const member = await applicant()
    const { account } = member.wallet
    const thief = connectAttacker(fixture.database)
    const { rows } = await sql<{ id: bigint }>`
      select id from lode.partner_application where member_id = ${member.id}`.execute(thief.db)
    const by = [fixture.alice, fixture.bob]
    await thief.insertForgedDecisions({ subject: `partner:${rows[0]?.id}`, verb: 'approve-partner', by })
    await thief.insertForgedDecisions({ subject: `expert:${account.toLowerCase()}`, verb: 'authorise-expert', by })
    expect(await fixture.apply()).toMatchObject({ done: 0 })
    expect(await fixture.status(member)).toMatchObject({ standing: 'applied' })
    expect(await btn(member)).toBe(0n)
    await thief.close()
  })
})
