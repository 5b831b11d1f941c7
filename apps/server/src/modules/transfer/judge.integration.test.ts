import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { testPool } from '../../testing/api.ts'
import { logIn, signedChallenge, type TestMember } from '../../testing/member.ts'
import { signAs, type TestOperator } from '../../testing/operators.ts'
import { exampleText } from '../../testing/plan.ts'
import { openThief } from '../../testing/thief.ts'
import { plainWallet } from '../../testing/wallet.ts'
import { disableAccount } from '../identity/index.ts'
import { balances, post } from '../ledger/index.ts'
import {
  approvalQuestion,
  createOperators,
  pauseQuestion,
  type Question,
  rejectionQuestion,
  resumeQuestion,
  takeOutNonsense,
} from '../operators/index.ts'
import { readPayouts, type Verdict } from '../payout/index.ts'
import { judgeTransfers } from './judge.ts'
import { countOverdue } from './overdue.ts'
import { releasePosting, requestPosting } from './postings.ts'
import { rejectTransfer } from './rejection.ts'
import { credit, idOf, type Office, type Order, openOffice, PASSWORD, publishedPlans } from './testing/office.ts'

/** The example plan, with a `decisionAbove` that a member's quota reaches. */
const plan = exampleText.replace('"decisionAbove": "20000"', '"decisionAbove": "8000"')

let office: Office
let alice: TestOperator
let bob: TestOperator
let operators: ReturnType<typeof createOperators>
beforeAll(async () => {
  office = await openOffice({}, plan)
  ;({ alice, bob } = office)
  operators = createOperators({ ...testPool(), ceremony: office.ceremony })
})
afterAll(() => office.close())

const HOUR = 3_600
const plans = publishedPlans()

async function decide(owner: Database, question: Question, by: readonly TestOperator[]): Promise<void> {
  for (const key of by) {
    const signed = await signAs(owner, testPool(), question, key)
    if (typeof signed === 'string') throw new Error(signed)
  }
}

/** Judges as the signer does: with its own role, inside a transaction that locks the rows. */
const judged = async (id: string, { pinned = true } = {}): Promise<Verdict> =>
  office.signer.transaction().execute(async (inside) => {
    const rows = await readPayouts(inside, sql`where id = ${id} for update skip locked`)
    const verdict = (await judgeTransfers(inside, rows, { plans, operators, pinned })).get(id)
    if (!verdict) throw new Error('not judged')
    return verdict
  })

const faultOf = async (id: string): Promise<string | null> => {
  const verdict = await judged(id)
  return verdict.kind === 'check' ? verdict.what : null
}

const sessionOf = async (member: TestMember): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select id from lode.session where member_id = ${await idOf(office.owner, member)} limit 1`.execute(office.owner)
  return rows[0]?.id ?? ''
}

type Forged = { amount?: bigint; fee?: bigint; burned?: bigint; plan?: number; quota?: bigint }

/** Requests a transfer as an attacker with the api's database role can. */
async function forge(member: TestMember, forged: Forged = {}, inside: Database = office.asApi): Promise<string> {
  const { amount = 10_000_000n, fee = 1_000_000n, burned = 0n, plan = 1, quota = 10n ** 30n } = forged
  const id = randomUUID()
  const { rows } = await sql<{ verdict: string }>`
    select lode.request_transfer(${await idOf(office.owner, member)}, ${await sessionOf(member)}, ${id}, 'USDT', ${amount},
                                 ${fee}, ${burned}, ${plan}, ${quota}) as verdict`.execute(inside)
  expect(rows).toEqual([{ verdict: 'ok' }])
  return id
}

/** Also posts the request, which that role may do as well. */
async function forgeAndPost(member: TestMember, forged: Forged = {}): Promise<string> {
  const id = await forge(member, forged)
  const { amount = 10_000_000n, fee = 1_000_000n } = forged
  const posting = requestPosting({ id, memberId: await idOf(office.owner, member), asset: 'USDT', amount, fee })
  expect((await post(office.asApi, [posting]))[0]?.outcome).toBe('posted')
  return id
}

describe('the signer', () => {
  it('may sign for what a member asked for, in each symbol', async () => {
    const member = await office.member({ USDT: '100', BTN: '5000', BTC: '1' })
    for (const [symbol, amount] of [
      ['USDT', '10'],
      ['BTN', '1000'],
      ['BTC', '0.1'],
    ] as const)
      expect(await judged((await office.made(member, { symbol, amount })).id)).toEqual({ kind: 'go' })
  })

  it('judges a hundred in one go as it would each', async () => {
    const member = await office.member({ USDT: '1000' })
    const ids = []
    for (let count = 0; count < 5; count += 1) ids.push((await office.made(member)).id)
    const rows = await readPayouts(office.signer, sql`where id = any(${ids}::uuid[])`)
    const verdicts = await judgeTransfers(office.signer, rows, { plans, operators, pinned: true })
    expect(ids.map((id) => verdicts.get(id)?.kind)).toEqual(Array(5).fill('go'))
  })

  it('may not sign for one that has ended', async () => {
    const member = await office.member({ USDT: '100' })
    const { id } = await office.made(member)
    await office.cancel(member, id)
    expect((await judged(id)).kind).not.toBe('go')
  })
})

describe('a forged row', () => {
  it.each(['asApi', 'worker', 'signer'] as const)('is not written by %s', async (role) => {
    const member = await office.member({ USDT: '100' })
    const { id } = await office.made(member)
    const memberId = await idOf(office.owner, member)
    const thief = Buffer.from(plainWallet().account.slice(2), 'hex')
    const attempts = [
      sql`insert into lode.payout (id, kind, asset, amount, address, member_id, plan_version, level)
          values (${randomUUID()}, 'transfer', 'USDT', 1, ${thief}, ${memberId}, 1, 0)`,
      sql`update lode.payout set address = ${thief} where id = ${id}`,
      sql`update lode.payout set amount = 1 where id = ${id}`,
      sql`update lode.payout set ended = null where id = ${id}`,
      sql`delete from lode.payout where id = ${id}`,
      sql`insert into lode.quota_use (payout_id, member_id, asset, at, amount) values (${id}, ${memberId}, 'USDT', lode.now(), 1)`,
      sql`update lode.quota_use set given_back_at = lode.now()`,
      sql`select lode.end_unpaid_transfer(${id}, 'cancelled')`,
      ...(role === 'asApi'
        ? [sql`select lode.reject_transfer(${id}, 'x')`, sql`select lode.revert_transfer(${id})`]
        : []),
      ...(role === 'worker' ? [sql`select lode.cancel_transfer(${memberId}, ${id})`] : []),
      ...(role === 'asApi'
        ? []
        : [sql`select lode.request_transfer(${memberId}, ${randomUUID()}, ${randomUUID()}, 'USDT', 1, 0, 0, 1, 1)`]),
    ]
    for (const attempt of attempts) await expect(attempt.execute(office[role])).rejects.toThrow('permission denied')
  })

  it.each(['NaN', 'Infinity', '0.5', '-1', '0', '1e40'])('of %s is none at all', async (amount) => {
    const member = await office.member()
    const call = sql`
      select lode.request_transfer(${await idOf(office.owner, member)}, ${await sessionOf(member)}, ${randomUUID()}, 'USDT',
                                   ${amount}, 0, 0, 1, 'Infinity')`
    await expect(call.execute(office.asApi)).rejects.toThrow('whole smallest units')
  })

  it('of somebody else’s session, or of none, is none at all', async () => {
    const [member, other] = [await office.member(), await office.member()]
    const { rows } = await sql<{ verdict: string }>`
      select lode.request_transfer(${await idOf(office.owner, member)}, ${await sessionOf(other)}, ${randomUUID()}, 'USDT', 1, 0, 0,
                                   1, 1) as verdict`.execute(office.asApi)
    expect(rows).toEqual([{ verdict: 'session-expired' }])
  })

  it('of a reversion that its token never caused gives nothing back', async () => {
    const member = await office.member({ USDT: '100' })
    const { id } = await office.made(member)
    await expect(sql`select lode.revert_transfer(${id})`.execute(office.worker)).rejects.toThrow('cannot be reverted')
    await sql`update lode.payout set token_failures = 2 where id = ${id}`.execute(office.owner)
    await sql`select lode.revert_transfer(${id})`.execute(office.worker)
    expect(await office.detail(member, id)).toMatchObject({ state: 'reverted', status: 0, cancellable: false })
    expect((await office.terms(member)).symbols[0]?.quota.left).toBe('10000')
  })

  it('without its posting is not paid, whatever else its member has frozen', async () => {
    const member = await office.member({ USDT: '100' })
    const honest = await office.made(member)
    const id = await forge(member)
    expect(await faultOf(id)).toBe('the books have no open line of it')
    // No other transfer of that member is paid either, until an operator has looked.
    expect(await faultOf(honest.id)).toMatch(/frozen only 11000000/)
  })

  it('of which the money went back is not paid', async () => {
    const member = await office.member({ USDT: '100' })
    const { id } = await office.made(member)
    const memberId = await idOf(office.owner, member)
    const transfer = { id, memberId, asset: 'USDT', amount: 10_000_000n, fee: 1_000_000n } as const
    expect((await post(office.asApi, [releasePosting(transfer)]))[0]?.outcome).toBe('posted')
    expect(await faultOf(id)).toBe('the books have no open line of it')
  })

  it('goes to the address that its member bound, for nobody can name another', async () => {
    const member = await office.member({ USDT: '100' })
    const [row] = await readPayouts(office.owner, sql`where id = ${await forgeAndPost(member)}`)
    expect(row?.address).toBe(member.wallet.account)
  })

  it.each([
    ['beyond the quota', { amount: 10_001_000_000n }, /within 24 hours is more than the quota/],
    ['beyond the plan’s most', { amount: 50_000_000_001n }, /outside of what its plan allows/],
    ['without its fee', { fee: 0n }, /not that of its plan/],
    ['with its fee burned', { burned: 1_000_000n }, /not that of its plan/],
    ['under a plan that nobody published', { plan: 9 }, /plan version 9 is not known/],
  ] as const)('%s is not paid', async (_what, forged, fault) => {
    const member = await office.member({ USDT: '60000' })
    expect(await faultOf(await forgeAndPost(member, forged))).toMatch(fault)
  })

  it('is judged by the level that its member has, where the row says more', async () => {
    const member = await office.member({ USDT: '5000' })
    const { id } = await office.made(member, { amount: '2000' })
    await sql`update lode.member set level = 1 where id = ${await idOf(office.owner, member)}`.execute(office.owner)
    expect(await faultOf(id)).toMatch(/more than the quota of 500000000/)
  })

  it('to an address that was not bound, or not long enough asked for, is not paid', async () => {
    const member = await office.member({ USDT: '100' })
    const { id } = await office.made(member)
    const memberId = await idOf(office.owner, member)
    const other = Buffer.from(plainWallet().account.slice(2), 'hex')
    await sql`update lode.payout set address = ${other} where id = ${id}`.execute(office.owner)
    expect(await faultOf(id)).toBe('the address was not bound when it was asked for')
    // Not even if an attacker inserts it as a bound address.
    await sql`
      insert into lode.output_address (member_id, number, address, asked_at, binds_at)
      select ${memberId}, 1, ${other}, lode.now() - interval '49 hours', lode.now() - interval '1 hour'`.execute(
      office.owner,
    )
    expect(await faultOf(id)).toBe('the address became bound at another time')
    await sql`alter table lode.output_address disable trigger all`.execute(office.owner)
    await sql`alter table lode.output_address drop constraint output_address_check`.execute(office.owner)
    await sql`update lode.output_address set asked_at = lode.now() - interval '2 hours' where member_id = ${memberId}`.execute(
      office.owner,
    )
    expect(await faultOf(id)).toBe('the address had not been asked for 48 hours before')
  })
})

describe('a hold', () => {
  const stateOf = async (member: TestMember, { id }: Pick<Order, 'id'>) => {
    const { state, holds } = await office.detail(member, id)
    return [state, ...holds.map(({ reason }) => reason)]
  }

  it('of a browser that is new waits its day out, and then it goes by itself', async () => {
    const member = await office.member({ USDT: '100' })
    const { body } = await logIn(office.api, member.wallet, { device: 'AnotherBrowserOfMine00' })
    const order = await office.made({ ...member, token: body.data.token })
    expect(order).toMatchObject({ state: 'held', holds: [{ reason: 'device-new' }] })
    const verdict = await judged(order.id)
    expect(verdict.kind).toBe('wait')
    await office.api.clock.advance(23 * HOUR)
    expect((await judged(order.id)).kind).toBe('wait')
    await office.api.clock.advance(HOUR + 1)
    expect(await judged(order.id)).toEqual({ kind: 'go' })
  })

  it('that begins catches what is not signed: the member’s lock, a changed password, a reset', async () => {
    const member = await office.member({ USDT: '100' })
    const { account } = member.wallet
    const order = await office.made(member)
    expect(await stateOf(member, order)).toEqual(['approved'])
    await office.api.call('account/transfer-lock', { account, days: 1, password: PASSWORD }, member)
    expect(await stateOf(member, order)).toEqual(['held', 'own-lock'])
    expect((await judged(order.id)).kind).toBe('wait')
    await office.api.clock.advance(24 * HOUR + 1)
    expect(await judged(order.id)).toEqual({ kind: 'go' })

    const again = { ...member, token: (await logIn(office.api, member.wallet)).body.data.token }
    await office.api.call('account/fund-password', { account, password: PASSWORD, newPassword: 'Other123' }, again)
    expect(await stateOf(again, order)).toEqual(['held', 'password-changed'])
    const signed = await signedChallenge(office.api, again, 'fund-password-reset')
    await office.api.call('account/fund-password/reset', { account, ...signed, newPassword: 'Third123' }, again)
    expect(await stateOf(again, order)).toEqual(['held', 'password-changed', 'reset'])
    await office.api.clock.advance(24 * HOUR + 1)
    expect((await judged(order.id)).kind).toBe('wait')

    const later = { ...member, token: (await logIn(office.api, member.wallet)).body.data.token }
    await office.api.call('account/fund-password/reset/cancel', { account, password: 'Other123' }, later)
    expect(await judged(order.id), 'a reset that is cancelled holds nothing').toEqual({ kind: 'go' })
  })

  it('leaves a transfer its address, while a change of address completes', async () => {
    const member = await office.member({ USDT: '100' })
    const { account } = member.wallet
    const other = plainWallet().account
    await office.api.call('account/output-address', { account, address: other, password: PASSWORD }, member)
    await office.api.call('account/transfer-lock', { account, days: 3, password: PASSWORD }, member)
    const before = await office.made(member)
    await office.api.clock.advance(49 * HOUR)

    const again = { ...member, token: (await logIn(office.api, member.wallet)).body.data.token }
    expect(await office.detail(again, before.id)).toMatchObject({ address: account, own: true, state: 'held' })
    expect((await office.order(again)).body.reason).toBe('output-address-changed')
    const after = await office.made(again, { address: other })
    expect(after).toMatchObject({ address: other, own: false })
    expect(after.holds.map(({ reason }) => reason)).toContain('address-new')
    await office.api.clock.advance(24 * HOUR)
    expect(await judged(before.id)).toEqual({ kind: 'go' })
    expect((await judged(after.id)).kind).toBe('wait')
    await office.api.clock.advance(24 * HOUR)
    expect(await judged(after.id)).toEqual({ kind: 'go' })
    const [row] = await readPayouts(office.owner, sql`where id = ${before.id}`)
    expect(row?.address).toBe(getAddress(account))
  })

  it('lasts by the database’s clock, set a day back as well as a day forward', async () => {
    const member = await office.member({ USDT: '100' })
    const order = await office.made(member)
    await office.api.call(
      'account/transfer-lock',
      { account: member.wallet.account, days: 1, password: PASSWORD },
      member,
    )
    await office.api.clock.advance(-24 * HOUR)
    expect(await stateOf(member, order)).toEqual(['held', 'own-lock'])
    expect((await judged(order.id)).kind).toBe('wait')
    await office.api.clock.advance(47 * HOUR)
    expect((await judged(order.id)).kind).toBe('wait')
    await office.api.clock.advance(HOUR + 60)
    expect(await judged(order.id)).toEqual({ kind: 'go' })
  })
})

describe('a review', () => {
  const about = (order: Order) => ({
    symbol: order.symbol,
    amount: String(BigInt(order.amount) * 1_000_000n),
    address: getAddress(order.address),
  })
  const approve = (order: Order, by: TestOperator[]) =>
    decide(office.owner, approvalQuestion(order.id, about(order)), by)

  it('of a disabled account’s transfer ends after 72 hours by itself', async () => {
    const member = await office.member({ USDT: '100' })
    const order = await office.made(member)
    await disableAccount(office.owner, member.wallet.account)
    expect((await judged(order.id)).kind).toBe('wait')
    await office.api.clock.advance(72 * HOUR + 1)
    expect(await judged(order.id)).toEqual({ kind: 'go' })
  })

  it('of a large one ends by one operator, whose ceremony the signer has pinned', async () => {
    const member = await office.member({ USDT: '10000' })
    const order = await office.made(member, { amount: '6000' })
    expect(order.holds.map(({ reason }) => reason)).toEqual(['review-size'])
    await approve(order, [alice])
    expect(await judged(order.id)).toEqual({ kind: 'go' })
    expect((await judged(order.id, { pinned: false })).kind).toBe('wait')
    await office.signerReports()
    expect(await office.detail(member, order.id)).toMatchObject({ state: 'approved', queue: null })
    // The member is not told that the transfer goes out within minutes, because this signer does not obey the approval.
    for (const ceremony of [null, `0x${'ab'.repeat(32)}`] as const) {
      await office.signerReports(ceremony)
      const { queue } = await office.detail(member, order.id)
      expect(queue, String(ceremony)).toEqual({ reason: 'decision-not-obeyed', until: null, late: false })
    }
    await office.api.clock.advance(4 * 60)
    expect((await office.detail(member, order.id)).queue?.reason).toBe('decision-not-obeyed')
    await office.api.clock.advance(2 * 60)
    expect((await office.detail(member, order.id)).queue?.reason).toBe('signer-away')
    await office.signerReports()
    expect((await office.detail(member, order.id)).queue).toBeNull()
  })

  it('is late ten minutes after its approval, and behind a whole release of others says that', async () => {
    const [member, other] = [await office.member({ USDT: '10000' }), await office.member()]
    const order = await office.made(member)
    // The other transfers of this file are not due.
    await sql`update lode.payout set look_at = lode.now() + interval '14 minutes' where id <> ${order.id}`.execute(
      office.owner,
    )
    await office.api.clock.advance(11 * 60)
    await office.signerReports()
    expect((await office.detail(member, order.id)).queue).toEqual({ reason: 'unknown', until: null, late: true })
    await sql`
      insert into lode.payout (id, kind, asset, amount, address, member_id, plan_version, level, look_at)
      select gen_random_uuid(), 'transfer', 'USDT', 1, decode(repeat('22', 20), 'hex'), ${await idOf(office.owner, other)},
             1, 0, lode.now() - interval '1 hour'
      from generate_series(1, 100)`.execute(office.owner)
    expect((await office.detail(member, order.id)).queue?.reason).toBe('others-first')
    await sql`delete from lode.payout where look_at < lode.now() - interval '50 minutes'`.execute(office.owner)
  })

  it('above the second size ends by two, and by no time; after 72 hours everybody can see that one is overdue', async () => {
    const overdue = () => countOverdue(office.asApi, { plans, operators })
    const before = await overdue()
    const member = await office.member({ USDT: '10000' })
    const order = await office.made(member, { amount: '9000' })
    expect(order.holds).toEqual([{ reason: 'review-size', endsAt: null }])
    await approve(order, [alice])
    await office.api.clock.advance(71 * HOUR)
    expect(await overdue()).toBe(before)
    await office.api.clock.advance(129 * HOUR)
    expect((await judged(order.id)).kind).toBe('wait')
    expect(await overdue()).toBe(before + 1)
    expect((await office.api.call('pool/figures', {})).body.data.transfersOverdue).toBe(before + 1)
    await approve(order, [bob])
    expect(await judged(order.id)).toEqual({ kind: 'go' })
    expect(await overdue()).toBe(before)
  })

  it('can end in a rejection, which gives everything back with the operators’ words', async () => {
    const member = await office.member({ USDT: '10000' })
    const order = await office.made(member, { amount: '6000' })
    await decide(office.owner, rejectionQuestion(order.id, about(order), 'Please ask us.'), [bob])
    expect((await judged(order.id, { pinned: false })).kind, 'it is not signed in the meantime').toBe('wait')
    await office.api.clock.advance(73 * HOUR)
    expect((await judged(order.id)).kind).toBe('wait')
    const reject = () =>
      office.worker.transaction().execute(async (inside) => {
        const [rejection] =
          (await operators.verified(inside, [`transfer:${order.id}`])).get(`transfer:${order.id}`) ?? []
        if (!rejection) throw new Error('nobody rejected it')
        return rejectTransfer(inside, rejection, { plans, operators })
      })
    expect(await reject()).toEqual({ ok: true, value: null })
    expect(await reject()).toEqual({ ok: false, error: 'the transfer is signed, or has ended' })
    const again = { ...member, token: (await logIn(office.api, member.wallet)).body.data.token }
    expect(await office.detail(again, order.id)).toMatchObject({ state: 'rejected', status: 0, note: 'Please ask us.' })
    const held = await balances(office.owner, await idOf(office.owner, member))
    expect([held.USDT.available, held.USDT.frozenOut]).toEqual([10_000_000_000n, 0n])
  })

  it('is all that operators can reject, and for a transfer above the second size it takes two', async () => {
    const member = await office.member({ USDT: '20000' })
    const [small, huge] = [await office.made(member), await office.made(member, { amount: '9000' })]
    const reject = async (order: Order, by: TestOperator[]) => {
      await decide(office.owner, rejectionQuestion(order.id, about(order), 'No.'), by)
      return office.worker.transaction().execute(async (inside) => {
        const [rejection] =
          (await operators.verified(inside, [`transfer:${order.id}`])).get(`transfer:${order.id}`) ?? []
        if (!rejection) throw new Error('nobody rejected it')
        return rejectTransfer(inside, rejection, { plans, operators })
      })
    }
    expect(await reject(small, [alice])).toEqual({ ok: false, error: 'the transfer is not under review' })
    expect(await reject(huge, [alice])).toBeNull()
    expect(await reject(huge, [bob])).toEqual({ ok: true, value: null })
  })
})

describe('a pause', () => {
  it('stops signing until its end, or until two operators resume, and neither requests nor cancels', async () => {
    const member = await office.member({ USDT: '100' })
    const order = await office.made(member)
    const until = new Date(Date.parse(order.requestedAt) + 48 * 3_600_000)
    await decide(office.owner, pauseQuestion(until, 'The node is odd.'), [alice])
    expect((await office.detail(member, order.id)).queue).toMatchObject({
      reason: 'paused',
      until: until.toISOString(),
    })
    expect((await office.terms(member)).pausedUntil).toBe(until.toISOString())
    expect((await judged(order.id)).kind).toBe('wait')
    const meanwhile = await office.made(member)
    expect((await office.cancel(member, meanwhile.id)).body.data.state).toBe('cancelled')
    await decide(office.owner, resumeQuestion('All is well.'), [alice])
    expect((await judged(order.id)).kind).toBe('wait')
    await decide(office.owner, resumeQuestion(undefined), [bob])
    expect(await judged(order.id)).toEqual({ kind: 'go' })
    expect((await judged(order.id, { pinned: false })).kind, 'unpinned, nobody resumes').toBe('wait')
  })

  const pauseNow = async (note: string): Promise<Date> => {
    const { rows } = await sql<{ until: Date }>`
      select date_trunc('milliseconds', lode.now()) + interval '48 hours' as until`.execute(office.owner)
    const until = rows[0]?.until ?? new Date()
    await decide(office.owner, pauseQuestion(until, note), [alice])
    return until
  }

  it('is not lifted by one stolen key that completes what was begun before it', async () => {
    const member = await office.member({ USDT: '100' })
    const order = await office.made(member)
    await pauseNow('a drill')
    await decide(office.owner, resumeQuestion('The drill is over.'), [alice])
    await pauseNow('We are being robbed.')
    const { rows } = await sql<{ id: bigint; body: string }>`
      select id, body from lode.decision where verb = 'resume' order by id desc limit 1`.execute(office.owner)
    const [begun] = rows
    if (!begun) throw new Error('nobody began to resume')
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      values (${begun.id}, 2, ${Buffer.from(bob.publicKey, 'hex')}, ${bob.sign(begun.body)})`.execute(office.owner)
    expect((await judged(order.id)).kind).toBe('wait')

    // Honest operators do not add their signatures to it: they begin a new decision.
    await decide(office.owner, resumeQuestion('They are caught.'), [bob, alice])
    expect(await judged(order.id)).toEqual({ kind: 'go' })
  })

  it('outlasts a link of the operators’ chain that does not verify, with which nothing is signed', async () => {
    const member = await office.member({ USDT: '100' })
    const order = await office.made(member)
    const until = await pauseNow('We are being robbed.')
    const thief = openThief(office.api.database)
    await thief.link([alice, bob])
    for (const pinned of [true, false])
      expect(await judged(order.id, { pinned })).toMatchObject({
        kind: 'check',
        what: expect.stringContaining('the operators’ chain does not verify'),
      })
    expect((await office.terms(member)).pausedUntil).toBe(until.toISOString())
    expect((await office.detail(member, order.id)).queue).toMatchObject({
      reason: 'paused',
      until: until.toISOString(),
    })

    await takeOutNonsense(office.owner, testPool())
    expect((await judged(order.id)).kind).toBe('wait')
    await decide(office.owner, resumeQuestion('All is well.'), [alice, bob])
    expect(await judged(order.id)).toEqual({ kind: 'go' })
    await thief.close()
  })

  it('is not crowded out by nonsense: nothing is signed until that is taken out', async () => {
    const member = await office.member({ USDT: '100' })
    const order = await office.made(member)
    await pauseNow('We are being robbed.')
    const thief = openThief(office.api.database)
    await thief.decide({ subject: 'payouts', verb: 'pause', by: [alice, bob], count: 500 })
    expect(await judged(order.id)).toMatchObject({ kind: 'check', what: expect.stringContaining('more than 200') })
    expect((await office.terms(member)).symbols).toHaveLength(3)

    await takeOutNonsense(office.owner, testPool())
    expect((await judged(order.id)).kind).toBe('wait')
    await decide(office.owner, resumeQuestion('All is well.'), [alice, bob])
    expect(await judged(order.id)).toEqual({ kind: 'go' })
    await thief.close()
  })
})

it('what a member asked for twice in a day is judged with what went before it', async () => {
  const member = await office.member({ USDT: '1000' }, 1)
  const first = await office.made(member, { amount: '300' })
  const second = await office.made(member, { amount: '200' })
  await credit(office.worker, await idOf(office.owner, member), 'USDT', '1000')
  const third = await forgeAndPost(member)
  expect([(await judged(first.id)).kind, (await judged(second.id)).kind]).toEqual(['go', 'go'])
  expect(await faultOf(third)).toMatch(/510000000 within 24 hours/)
})
