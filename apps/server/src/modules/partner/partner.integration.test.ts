import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decideBy } from '../../testing/operators.ts'
import { exampleText } from '../../testing/plan.ts'
import { openThief } from '../../testing/thief.ts'
import { plainWallet } from '../../testing/wallet.ts'
import { disableAccount } from '../identity/index.ts'
import { audit, balances, systemBalances } from '../ledger/index.ts'
import { changeQuestion } from '../operators/index.ts'
import { listExperts, listPartners, refusedAppointments, waitingApplications } from './queries.ts'
import { BTN, type Club, type ClubMember, openClub } from './testing/club.ts'

const FULL = 363

let club: Club
beforeAll(async () => {
  club = await openClub()
  await club.fund(10_000_000n * BTN)
}, 60_000)
afterAll(() => club.close())

const btn = async ({ id }: ClubMember) => (await balances(club.owner, id)).BTN.available
const reserve = async () => (await systemBalances(club.owner))('reserve:airdrop', 'BTN')

/** An activated member with five full layers. */
async function leader(): Promise<ClubMember> {
  const member = await club.member()
  await club.activate(member)
  await club.invite(member, FULL)
  return member
}

async function applicant(): Promise<ClubMember> {
  const member = await leader()
  expect((await club.applyFor(member)).status).toBe(200)
  return member
}

describe('a sharing expert', { timeout: 60_000 }, () => {
  it('is authorised by two different operators, once, and gets what the plan gives', async () => {
    const member = await club.member()
    const { account } = member.wallet
    const before = await reserve()
    expect(await club.authorise(account, club.alice)).toBe(1)
    expect(await club.authorise(account, club.alice)).toContain('signed it already')
    expect(await club.apply()).toMatchObject({ done: 0 })
    expect(await listExperts(club.owner)).toEqual([])

    expect(await club.authorise(account, club.bob)).toBe(2)
    const applied = await Promise.all([club.apply(), club.apply(), club.apply()])
    expect(applied.every(({ refused }) => refused === 0)).toBe(true)
    expect(await btn(member)).toBe(50_000n * BTN)
    expect(await reserve()).toBe(before - 50_000n * BTN)
    expect(await listExperts(club.owner)).toMatchObject([
      { address: account, airdrop: 50_000n * BTN, airdropPaid: true },
    ])
    const overview = await club.api.call('promotion/overview', { account }, { token: member.token })
    expect(overview.body.data.thanksgiving).toMatchObject({ expert: true })
    const log = await club.api.call('wallet/log', { account, symbol: 'BTN' }, { token: member.token })
    expect(log.body.data.lines).toMatchObject([{ type: 'airdropForAgent', amount: '50000', status: 'confirmed' }])

    expect(await club.authorise(account, club.carol)).toBe(`${account} is a sharing expert already.`)
    const stranger = plainWallet().account
    expect(await club.authorise(stranger, club.alice)).toBe(`${stranger} is nobody’s who is a member.`)
  })

  it('gets the airdrop whole or not at all, and the record says so', async () => {
    const member = await club.member()
    const held = await reserve()
    await club.publish(exampleText.replace('"agentAirdrop": "50000"', '"agentAirdrop": "20000000"'))
    for (const by of [club.alice, club.carol]) await club.authorise(member.wallet.account, by)
    expect(await club.apply()).toMatchObject({ done: 1 })
    expect((await listExperts(club.owner))[0]).toMatchObject({ airdrop: 20_000_000n * BTN, airdropPaid: false })
    expect([await btn(member), await reserve()]).toEqual([0n, held])

    const free = await club.member()
    await club.publish(exampleText.replace('"agentAirdrop": "50000"', '"agentAirdrop": "0"'))
    for (const by of [club.alice, club.carol]) await club.authorise(free.wallet.account, by)
    expect(await club.apply()).toMatchObject({ done: 1 })
    expect((await listExperts(club.owner))[0]).toMatchObject({ airdrop: 0n, airdropPaid: null })
    await club.publish(exampleText)
  })

  it('is given what the plan says that is in force at the second signature', async () => {
    const member = await club.member()
    expect(await club.authorise(member.wallet.account, club.alice)).toBe(1)
    await club.publish(exampleText.replace('"agentAirdrop": "50000"', '"agentAirdrop": "7"'))
    // Alice's signature names the plan of that time, so Bob begins a new decision.
    expect(await club.authorise(member.wallet.account, club.bob)).toBe(1)
    expect(await club.apply()).toMatchObject({ done: 0 })
    expect(await club.authorise(member.wallet.account, club.alice)).toBe(2)
    expect(await club.apply()).toMatchObject({ done: 1 })
    expect(await btn(member)).toBe(7n * BTN)
    await club.publish(exampleText)
  })
})

describe('an application to be a partner', { timeout: 120_000 }, () => {
  it('says what is missing and by how many, and is refused for it', async () => {
    const member = await club.member()
    expect(await club.status(member)).toMatchObject({
      standing: 'none',
      appliedAt: null,
      decidedAt: null,
      note: null,
      activated: false,
      mayApply: false,
      airdrop: { amount: '500000', paid: null },
    })
    expect((await club.applyFor(member)).body.reason).toBe('partner-not-activated')
    await club.activate(member)
    await club.invite(member, FULL - 1)
    expect(await club.status(member)).toMatchObject({
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
    expect((await club.applyFor(member, key)).body.reason).toBe('partner-layers-open')
    await club.invite(member, 1)
    expect(await club.status(member)).toMatchObject({ mayApply: true })
    // The first key keeps its stored refusal. A new key is accepted.
    expect((await club.applyFor(member, key)).body.reason).toBe('partner-layers-open')
    expect((await club.applyFor(member)).body.data).toMatchObject({ standing: 'applied', mayApply: false })
  })

  it('is one, however often and at once it is pressed', async () => {
    const member = await leader()
    const key = randomUUID()
    const same = await Promise.all(Array.from({ length: 5 }, () => club.applyFor(member, key)))
    expect(same.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const others = await Promise.all(Array.from({ length: 5 }, () => club.applyFor(member)))
    expect(others.map(({ body }) => body.reason)).toEqual(Array(5).fill('partner-applied'))
    const { rows } = await sql`
      select id from lode.partner_application where member_id = ${member.id}`.execute(club.owner)
    expect(rows).toHaveLength(1)

    const another = await leader()
    const answers = await Promise.all(Array.from({ length: 5 }, () => club.applyFor(another)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  })

  it('is not made by a disabled account', async () => {
    const member = await leader()
    await disableAccount(club.owner, member.wallet.account)
    const { rows } = await sql`select lode.apply_for_partner(${member.id}) as answer`.execute(club.apiRole)
    expect(rows).toEqual([{ answer: 'account-disabled' }])
  })

  it('is approved by two different operators, once, and gets what the plan gives', async () => {
    const member = await applicant()
    const { account } = member.wallet
    expect(await waitingApplications(club.owner, club.operators)).toContainEqual({
      address: account,
      appliedAt: expect.any(Date),
      begun: [],
    })
    const before = await reserve()
    expect(await club.approve(account, club.alice)).toBe(1)
    expect(await club.approve(account, club.alice)).toContain('signed it already')
    expect(await club.apply()).toMatchObject({ done: 0 })
    expect(await club.status(member)).toMatchObject({ standing: 'applied' })
    expect(await club.approve(account, club.carol)).toBe(2)
    await Promise.all([club.apply(), club.apply()])

    expect(await club.status(member)).toMatchObject({
      standing: 'approved',
      decidedAt: expect.any(String),
      note: null,
      mayApply: false,
      airdrop: { amount: '500000', paid: true },
    })
    expect([await btn(member), await reserve()]).toEqual([500_000n * BTN, before - 500_000n * BTN])
    expect((await listPartners(club.owner))[0]).toMatchObject({ address: account, airdropPaid: true })
    const { rows } = await sql<{ approved_day: number; today: number }>`
      select approved_day, floor(extract(epoch from lode.now()) / 86400)::int as today
      from lode.partner where member_id = ${member.id}`.execute(club.owner)
    expect(rows[0]?.approved_day).toBe(rows[0]?.today)

    expect((await club.applyFor(member)).body.reason).toBe('partner-approved')
    expect(await club.approve(account, club.bob)).toContain('No application')
    const log = await club.api.call('wallet/log', { account, symbol: 'BTN' }, { token: member.token })
    expect(log.body.data.lines).toMatchObject([{ type: 'airdropForPartner', amount: '500000' }])
  })

  it('is rejected with a note that the member reads, and may be made again', async () => {
    const member = await applicant()
    const { account } = member.wallet
    expect(await club.reject(account, club.alice)).toContain('say what for')
    expect(await club.reject(account, club.alice, 'talk to us first')).toBe(1)
    // The second operator need not repeat the reason.
    expect(await club.reject(account, club.bob)).toBe(2)
    expect(await club.apply()).toMatchObject({ done: 1 })
    expect(await club.status(member)).toMatchObject({
      standing: 'rejected',
      note: 'talk to us first',
      mayApply: true,
      airdrop: { paid: null },
    })
    expect((await club.applyFor(member)).body.data).toMatchObject({ standing: 'applied', note: null, decidedAt: null })

    // The decision about the first application does not count for the second.
    expect(await club.apply()).toMatchObject({ done: 0, refused: 0 })
    expect(await club.approve(account, club.alice)).toBe(1)
    expect(await club.approve(account, club.bob)).toBe(2)
    await club.apply()
    expect(await club.status(member)).toMatchObject({ standing: 'approved' })
    expect(await btn(member)).toBe(500_000n * BTN)
  })

  it('decided both ways is decided as the two say who were complete first', async () => {
    const member = await applicant()
    const { account } = member.wallet
    expect(await club.approve(account, club.alice)).toBe(1)
    expect(await club.reject(account, club.bob, 'no')).toBe(1)
    expect((await waitingApplications(club.owner, club.operators)).at(-1)?.begun).toEqual([
      { verb: 'approve', signatures: 1 },
      { verb: 'reject', signatures: 1 },
    ])
    // Each operator completes one of the two decisions at the same moment.
    const answers = await Promise.all([club.approve(account, club.carol), club.reject(account, club.alice)])
    expect(answers.toSorted()).toEqual([2, 'Two operators have decided about this already.'])
    expect(await club.apply()).toMatchObject({ done: 1, refused: 0 })
    const { standing } = await club.status(member)
    expect(standing).toBe(answers[0] === 2 ? 'approved' : 'rejected')
    expect(await btn(member)).toBe(standing === 'approved' ? 500_000n * BTN : 0n)
  })

  it('is not approved by operators of whom one was removed meanwhile, nor by what has expired', async () => {
    const member = await applicant()
    const { account } = member.wallet
    await club.approve(account, club.alice)
    await club.approve(account, club.carol)
    const removal = await changeQuestion(club.owner, club.pool, 'remove', club.carol.operator)
    if (!removal.ok) throw new Error(removal.error)
    await decideBy(club.owner, club.pool, removal.value, [club.alice, club.bob])
    expect(await club.apply()).toMatchObject({ done: 0 })
    expect(await club.approve(account, club.bob)).toBe(2)
    await club.clock.advance(7 * 86_400 + 1)
    expect(await club.apply()).toMatchObject({ done: 0 })
    expect(await listPartners(club.owner)).not.toContainEqual(expect.objectContaining({ address: account }))
    // Calls the function as a worker would that does not check the expiry.
    const { rows } = await sql<{ answer: string }>`
      select lode.approve_partner(max(id)) as answer from lode.decision where verb = 'approve-partner'`.execute(
      club.worker,
    )
    expect(rows[0]?.answer).toBe('expired')
  })

  it('leaves books in which nothing is wrong', async () => {
    expect((await audit(club.owner)).findings).toEqual([])
    expect(await refusedAppointments(club.owner, ['authorise-expert', 'approve-partner', 'reject-partner'])).toEqual([])
  })
})

describe('a stolen process', { timeout: 60_000 }, () => {
  const failing = async (statement: ReturnType<typeof sql>, db = club.worker): Promise<string> => {
    try {
      await statement.execute(db)
      return 'it was done'
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
  }

  it('appoints nobody', async () => {
    const member = await applicant()
    const { account } = member.wallet
    await club.approve(account, club.alice)
    await club.authorise(account, club.alice)
    for (const db of [club.apiRole, club.worker, club.desk])
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
      for (const db of [club.apiRole, club.desk]) expect(await failing(call, db)).toContain('permission denied')
    }
    // These decisions have one signature each.
    const { rows } = await sql<{ id: bigint }>`
      select id from lode.decision where body like ${`%${account}%`}`.execute(club.owner)
    expect(rows).toHaveLength(2)
    for (const { id } of rows)
      for (const name of ['authorise_expert', 'approve_partner', 'reject_partner'])
        expect(await failing(sql`select ${sql.raw(`lode.${name}`)}(${id})`)).toContain('two operators have not signed')
    expect(await club.status(member)).toMatchObject({ standing: 'applied' })
  })

  it('airdrops nothing, be it the worker’s', async () => {
    const member = await applicant()
    const before = await reserve()
    const give = (type: 'airdropForAgent' | 'airdropForPartner', key: string) =>
      club.give(member, { type, key, amount: 1_000n })
    for (const type of ['airdropForAgent', 'airdropForPartner'] as const)
      for (const key of ['appointed:expert', 'appointed:partner', randomUUID()])
        await expect(give(type, key)).rejects.toThrow('nobody decided on the airdrop')
    expect(await reserve()).toBe(before)

    // Nor can the worker give another amount than decided, or skip an airdrop that the reserve can pay.
    for (const by of [club.alice, club.bob]) await club.approve(member.wallet.account, by)
    const approve = sql`select lode.approve_partner(max(id)) from lode.decision where verb = 'approve-partner'`
    expect(await failing(approve)).toContain('the reserve can pay the airdrop')
    await expect(
      club.worker.transaction().execute(async (inside) => {
        await club.give(member, { type: 'airdropForPartner', key: 'appointed:partner', amount: 1_000n }, inside)
        await approve.execute(inside)
      }),
    ).rejects.toThrow('and 1000 is in the books')
    expect(await club.apply()).toMatchObject({ done: 1 })
    expect(await btn(member)).toBe(500_000n * BTN)
    await expect(give('airdropForPartner', randomUUID())).rejects.toThrow('nobody decided on the airdrop')
  })

  it('decides nothing with what the operators’ machines connect with', async () => {
    const member = await applicant()
    const { account } = member.wallet
    const thief = openThief(club.database)
    const { rows } = await sql<{ id: bigint }>`
      select id from lode.partner_application where member_id = ${member.id}`.execute(thief.db)
    const by = [club.alice, club.bob]
    await thief.decide({ subject: `partner:${rows[0]?.id}`, verb: 'approve-partner', by })
    await thief.decide({ subject: `expert:${account.toLowerCase()}`, verb: 'authorise-expert', by })
    expect(await club.apply()).toMatchObject({ done: 0 })
    expect(await club.status(member)).toMatchObject({ standing: 'applied' })
    expect(await btn(member)).toBe(0n)
    await thief.close()
  })
})
