import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { verifyNewAddresses } from '../../testing/address-signatures.ts'
import { testPool } from '../../testing/api.ts'
import { connectAttacker } from '../../testing/attacker-fixture.ts'
import { withoutCauseChecks } from '../../testing/cause-checks.ts'
import { disableMember } from '../../testing/disabled-member.ts'
import { logIn, PASSWORD, requestOutputAddress, signChallenge, type TestMember } from '../../testing/member.ts'
import { signAs, type TestOperator } from '../../testing/operators.ts'
import { examplePlanText } from '../../testing/plan.ts'
import { createTestWallet } from '../../testing/wallet.ts'
import { post, readBalances } from '../ledger/index.ts'
import {
  createOperators,
  type Proposal,
  proposeApproval,
  proposePause,
  proposeRejection,
  proposeResume,
  removeInvalidDecisions,
} from '../operators/index.ts'
import { readPayouts, type Verdict } from '../payout/index.ts'
import { judgeTransfers } from './judge.ts'
import { countOverdue } from './overdue.ts'
import { freezePosting, unfreezePosting } from './postings.ts'
import { rejectTransfer } from './reject-transfer.ts'
import {
  credit,
  idOf,
  publishedPlans,
  startTransferFixture,
  type TransferFixture,
  type TransferOrder,
} from './testing/transfer-fixture.ts'

/** The example plan, with a `decisionAbove` that a member's quota reaches. */
const plan = examplePlanText.replace('"decisionAbove": "20000"', '"decisionAbove": "8000"')

let fixture: TransferFixture
let alice: TestOperator
let bob: TestOperator
let operators: ReturnType<typeof createOperators>
beforeAll(async () => {
  fixture = await startTransferFixture({}, plan)
  ;({ alice, bob } = fixture)
  operators = createOperators({ ...testPool(), ceremony: fixture.ceremony })
})
afterAll(() => fixture.close())

const HOUR = 3_600
/** 10 USDT and the plan's fee. */
const TEN_AND_FEE = { amount: 10_000_000n, fee: 1_000_000n } as const
const plans = publishedPlans()

async function decide(owner: Database, question: Proposal, by: readonly TestOperator[]): Promise<void> {
  for (const key of by) {
    const signed = await signAs(owner, testPool(), question, key)
    if (typeof signed === 'string') throw new Error(signed)
  }
}

/** Judges as the signer does: with its own role, inside a transaction that locks the rows. */
const judge = async (id: string, { pinned = true } = {}): Promise<Verdict> =>
  fixture.signer.transaction().execute(async (trx) => {
    const rows = await readPayouts(trx, sql`where id = ${id} for update skip locked`)
    const verdict = (await judgeTransfers(trx, rows, { plans, operators, pinned })).get(id)
    if (!verdict) throw new Error('not judged')
    return verdict
  })

const faultOf = async (id: string): Promise<string | null> => {
  const verdict = await judge(id)
  return verdict.kind === 'check' ? verdict.problem : null
}

const sessionOf = async (member: TestMember): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select id from lode.session where member_id = ${await idOf(fixture.owner, member)} limit 1`.execute(fixture.owner)
  return rows[0]?.id ?? ''
}

type ForgedTerms = { amount?: bigint; fee?: bigint; burned?: bigint; plan?: number; quota?: bigint }

/** Requests a transfer as an attacker with the api's database role can. */
async function forgeTransfer(trx: Database, member: TestMember, forged: ForgedTerms = {}): Promise<string> {
  const { amount = 10_000_000n, fee = 1_000_000n, burned = 0n, plan = 1, quota = 10n ** 30n } = forged
  const id = randomUUID()
  const { rows } = await sql<{ verdict: string }>`
    select lode.request_transfer(${await idOf(fixture.owner, member)}, ${await sessionOf(member)}, ${id}, 'USDT', ${amount},
                                 ${fee}, ${burned}, ${plan}, ${quota}) as verdict`.execute(trx)
  expect(rows).toEqual([{ verdict: 'ok' }])
  return id
}

/** Also posts the request, which that role may do as well. */
const forgeAndPost = (member: TestMember, forged: ForgedTerms = {}): Promise<string> =>
  fixture.asApi.transaction().execute(async (trx) => {
    const id = await forgeTransfer(trx, member, forged)
    const { amount = 10_000_000n, fee = 1_000_000n } = forged
    const freeze = freezePosting({ id, memberId: await idOf(fixture.owner, member), asset: 'USDT', amount, fee })
    expect((await post(trx, [freeze]))[0]?.outcome).toBe('posted')
    return id
  })

describe('the signer', () => {
  it('may sign a member’s transfer in each asset', async () => {
    const member = await fixture.member({ USDT: '100', BTN: '5000', BTC: '1' })
    for (const [symbol, amount] of [
      ['USDT', '10'],
      ['BTN', '1000'],
      ['BTC', '0.1'],
    ] as const)
      expect(await judge((await fixture.makeOrder(member, { symbol, amount })).id)).toEqual({ kind: 'go' })
  })

  it('judges several transfers at once', async () => {
    const member = await fixture.member({ USDT: '1000' })
    const ids = []
    for (let count = 0; count < 5; count += 1) ids.push((await fixture.makeOrder(member)).id)
    const rows = await readPayouts(fixture.signer, sql`where id = any(${ids}::uuid[])`)
    const verdicts = await judgeTransfers(fixture.signer, rows, { plans, operators, pinned: true })
    expect(ids.map((id) => verdicts.get(id)?.kind)).toEqual(Array(5).fill('go'))
  })

  it('may not sign a transfer that has ended', async () => {
    const member = await fixture.member({ USDT: '100' })
    const { id } = await fixture.makeOrder(member)
    await fixture.cancel(member, id)
    expect((await judge(id)).kind).not.toBe('go')
  })
})

describe('a forged row', () => {
  it.each(['asApi', 'worker', 'signer'] as const)('cannot be written by the role %s', async (role) => {
    const member = await fixture.member({ USDT: '100' })
    const { id } = await fixture.makeOrder(member)
    const memberId = await idOf(fixture.owner, member)
    const thief = Buffer.from(createTestWallet().account.slice(2), 'hex')
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
    for (const attempt of attempts) await expect(attempt.execute(fixture[role])).rejects.toThrow('permission denied')
  })

  it.each(['NaN', 'Infinity', '0.5', '-1', '0', '1e40'])('with the amount %s is refused', async (amount) => {
    const member = await fixture.member()
    const call = sql`
      select lode.request_transfer(${await idOf(fixture.owner, member)}, ${await sessionOf(member)}, ${randomUUID()}, 'USDT',
                                   ${amount}, 0, 0, 1, 'Infinity')`
    await expect(call.execute(fixture.asApi)).rejects.toThrow('whole smallest units')
  })

  it('with another member’s session is refused', async () => {
    const [member, other] = [await fixture.member(), await fixture.member()]
    const { rows } = await sql<{ verdict: string }>`
      select lode.request_transfer(${await idOf(fixture.owner, member)}, ${await sessionOf(other)}, ${randomUUID()}, 'USDT', 1, 0, 0,
                                   1, 1) as verdict`.execute(fixture.asApi)
    expect(rows).toEqual([{ verdict: 'session-expired' }])
  })

  it('cannot be reverted unless its token refused it twice', async () => {
    const member = await fixture.member({ USDT: '100' })
    const { id } = await fixture.makeOrder(member)
    await expect(sql`select lode.revert_transfer(${id})`.execute(fixture.worker)).rejects.toThrow('cannot be reverted')
    await sql`update lode.payout set token_failures = 2 where id = ${id}`.execute(fixture.owner)
    const transfer = { id, memberId: await idOf(fixture.owner, member), asset: 'USDT', ...TEN_AND_FEE } as const
    await fixture.worker.transaction().execute(async (trx) => {
      await post(trx, [unfreezePosting(transfer)])
      await sql`select lode.revert_transfer(${id})`.execute(trx)
    })
    expect(await fixture.detail(member, id)).toMatchObject({ state: 'reverted', status: 0, cancellable: false })
    expect((await fixture.terms(member)).symbols[0]?.quota.left).toBe('10000')
  })

  it('without its ledger transaction is not paid, even if the member has other frozen money', async () => {
    const member = await fixture.member({ USDT: '100' })
    const honest = await fixture.makeOrder(member)
    await expect(forgeTransfer(fixture.asApi, member)).rejects.toThrow('is not in the ledger')
    const id = await withoutCauseChecks(fixture.owner, () => forgeTransfer(fixture.asApi, member))
    expect(await faultOf(id)).toBe('the ledger has no open log line of this transfer')
    // No other transfer of that member is paid either, until an operator has looked.
    expect(await faultOf(honest.id)).toMatch(/frozen only 11000000/)
  })

  it('is not paid if its money was unfrozen', async () => {
    const member = await fixture.member({ USDT: '100' })
    const { id } = await fixture.makeOrder(member)
    const memberId = await idOf(fixture.owner, member)
    const unfreeze = unfreezePosting({ id, memberId, asset: 'USDT', ...TEN_AND_FEE })
    await expect(post(fixture.asApi, [unfreeze])).rejects.toThrow('has no cause that explains it')
    await withoutCauseChecks(fixture.owner, () => post(fixture.asApi, [unfreeze]))
    expect(await faultOf(id)).toBe('the ledger has no open log line of this transfer')
  })

  it('goes to the member’s bound address', async () => {
    const member = await fixture.member({ USDT: '100' })
    const [row] = await readPayouts(fixture.owner, sql`where id = ${await forgeAndPost(member)}`)
    expect(row?.address).toBe(member.wallet.account)
  })

  it.each([
    ['above the quota', { amount: 10_001_000_000n }, /within 24 hours is more than the quota/],
    ['above the plan’s maximum', { amount: 50_000_000_001n }, /outside of what its plan allows/],
    ['without its fee', { fee: 0n }, /not that of its plan/],
    ['with its fee burned', { burned: 1_000_000n }, /not that of its plan/],
    ['under an unpublished plan', { plan: 9 }, /plan version 9 is not known/],
  ] as const)('%s is not paid', async (_what, forged, fault) => {
    const member = await fixture.member({ USDT: '60000' })
    expect(await faultOf(await forgeAndPost(member, forged))).toMatch(fault)
  })

  it('is judged by the member’s level if the row has a higher one', async () => {
    const member = await fixture.member({ USDT: '5000' })
    const { id } = await fixture.makeOrder(member, { amount: '2000' })
    await sql`update lode.member set level = 1 where id = ${await idOf(fixture.owner, member)}`.execute(fixture.owner)
    expect(await faultOf(id)).toMatch(/more than the quota of 500000000/)
  })

  it('to an address that was not bound, or requested too recently, is not paid', async () => {
    const member = await fixture.member({ USDT: '100' })
    const { id } = await fixture.makeOrder(member)
    const memberId = await idOf(fixture.owner, member)
    const other = Buffer.from(createTestWallet().account.slice(2), 'hex')
    await sql`update lode.payout set address = ${other} where id = ${id}`.execute(fixture.owner)
    expect(await faultOf(id)).toBe('the address was not bound when the transfer was requested')
    // Not even if an attacker inserts it as a bound address, without or with a signature.
    await sql`
      insert into lode.output_address (member_id, number, address, asked_at, binds_at)
      select ${memberId}, 1, ${other}, lode.now() - interval '49 hours', lode.now() - interval '1 hour'`.execute(
      fixture.owner,
    )
    expect(await faultOf(id)).toBe('the address was not bound when the transfer was requested')
    await sql`
      update lode.output_address set message = 'forged', signature = '\\x00' where member_id = ${memberId}`.execute(
      fixture.owner,
    )
    expect(await faultOf(id)).toBe('the address was not bound when the transfer was requested')
    await sql`update lode.output_address set signature_valid = false where member_id = ${memberId}`.execute(
      fixture.owner,
    )
    expect(await faultOf(id)).toBe('the address was not bound when the transfer was requested')
    await sql`update lode.output_address set signature_valid = true where member_id = ${memberId}`.execute(
      fixture.owner,
    )
    expect(await faultOf(id)).toBe('the address was bound at another time')
    await sql`
      update lode.payout set address_bound_at = binds_at from lode.output_address as bound
      where bound.member_id = payout.member_id and payout.id = ${id}`.execute(fixture.owner)
    await sql`alter table lode.output_address disable trigger all`.execute(fixture.owner)
    await sql`alter table lode.output_address drop constraint output_address_check`.execute(fixture.owner)
    await sql`update lode.output_address set asked_at = lode.now() - interval '2 hours' where member_id = ${memberId}`.execute(
      fixture.owner,
    )
    expect(await faultOf(id)).toBe('the address was requested less than 48 hours before the transfer')
  })
})

describe('a hold', () => {
  const stateOf = async (member: TestMember, { id }: Pick<TransferOrder, 'id'>) => {
    const { state, holds } = await fixture.detail(member, id)
    return [state, ...holds.map(({ reason }) => reason)]
  }

  it('for a new browser ends by itself after 24 hours', async () => {
    const member = await fixture.member({ USDT: '100' })
    const { body } = await logIn(fixture.api, member.wallet, { device: 'AnotherBrowserOfMine00' })
    const order = await fixture.makeOrder({ ...member, token: body.data.token })
    expect(order).toMatchObject({ state: 'held', holds: [{ reason: 'device-new' }] })
    const verdict = await judge(order.id)
    expect(verdict.kind).toBe('wait')
    await fixture.api.clock.advance(23 * HOUR)
    expect((await judge(order.id)).kind).toBe('wait')
    await fixture.api.clock.advance(HOUR + 1)
    expect(await judge(order.id)).toEqual({ kind: 'go' })
  })

  it('applies to unsigned transfers when the member locks transfers, changes the password or asks for a reset', async () => {
    const member = await fixture.member({ USDT: '100' })
    const { account } = member.wallet
    const order = await fixture.makeOrder(member)
    expect(await stateOf(member, order)).toEqual(['approved'])
    await fixture.api.call('account/transfer-lock', { account, days: 1, password: PASSWORD }, member)
    expect(await stateOf(member, order)).toEqual(['held', 'own-lock'])
    expect((await judge(order.id)).kind).toBe('wait')
    await fixture.api.clock.advance(24 * HOUR + 1)
    expect(await judge(order.id)).toEqual({ kind: 'go' })

    const again = { ...member, token: (await logIn(fixture.api, member.wallet)).body.data.token }
    await fixture.api.call('account/fund-password', { account, password: PASSWORD, newPassword: 'Other123' }, again)
    expect(await stateOf(again, order)).toEqual(['held', 'password-changed'])
    const signed = await signChallenge(fixture.api, again, 'fund-password-reset')
    await fixture.api.call('account/fund-password/reset', { account, ...signed, newPassword: 'Third123' }, again)
    expect(await stateOf(again, order)).toEqual(['held', 'password-changed', 'reset'])
    await fixture.api.clock.advance(24 * HOUR + 1)
    expect((await judge(order.id)).kind).toBe('wait')

    const later = { ...member, token: (await logIn(fixture.api, member.wallet)).body.data.token }
    await fixture.api.call('account/fund-password/reset/cancel', { account, password: 'Other123' }, later)
    expect(await judge(order.id), 'a canceled reset holds nothing').toEqual({ kind: 'go' })
  })

  it('does not change a transfer’s address when a new output address becomes bound', async () => {
    const member = await fixture.member({ USDT: '100' })
    const { account } = member.wallet
    const other = createTestWallet().account
    await requestOutputAddress(fixture.api, member, { address: other, password: PASSWORD })
    await verifyNewAddresses(fixture.signer)
    await fixture.api.call('account/transfer-lock', { account, days: 3, password: PASSWORD }, member)
    const before = await fixture.makeOrder(member)
    await fixture.api.clock.advance(49 * HOUR)

    const again = { ...member, token: (await logIn(fixture.api, member.wallet)).body.data.token }
    expect(await fixture.detail(again, before.id)).toMatchObject({ address: account, own: true, state: 'held' })
    expect((await fixture.tryOrder(again)).body.reason).toBe('output-address-changed')
    const after = await fixture.makeOrder(again, { address: other })
    expect(after).toMatchObject({ address: other, own: false })
    expect(after.holds.map(({ reason }) => reason)).toContain('address-new')
    await fixture.api.clock.advance(24 * HOUR)
    expect(await judge(before.id)).toEqual({ kind: 'go' })
    expect((await judge(after.id)).kind).toBe('wait')
    await fixture.api.clock.advance(24 * HOUR)
    expect(await judge(after.id)).toEqual({ kind: 'go' })
    const [row] = await readPayouts(fixture.owner, sql`where id = ${before.id}`)
    expect(row?.address).toBe(getAddress(account))
  })

  it('lasts by the database clock, even if that is set back or forward by a day', async () => {
    const member = await fixture.member({ USDT: '100' })
    const order = await fixture.makeOrder(member)
    await fixture.api.call(
      'account/transfer-lock',
      { account: member.wallet.account, days: 1, password: PASSWORD },
      member,
    )
    await fixture.api.clock.advance(-24 * HOUR)
    expect(await stateOf(member, order)).toEqual(['held', 'own-lock'])
    expect((await judge(order.id)).kind).toBe('wait')
    await fixture.api.clock.advance(47 * HOUR)
    expect((await judge(order.id)).kind).toBe('wait')
    await fixture.api.clock.advance(HOUR + 60)
    expect(await judge(order.id)).toEqual({ kind: 'go' })
  })
})

describe('a review', () => {
  const about = (order: TransferOrder) => ({
    symbol: order.symbol,
    amount: String(BigInt(order.amount) * 1_000_000n),
    address: getAddress(order.address),
  })
  const approve = (order: TransferOrder, by: TestOperator[]) =>
    decide(fixture.owner, proposeApproval(order.id, about(order)), by)

  it('of a disabled account’s transfer ends after 72 hours by itself', async () => {
    const member = await fixture.member({ USDT: '100' })
    const order = await fixture.makeOrder(member)
    await disableMember(fixture.owner, member.wallet.account)
    expect((await judge(order.id)).kind).toBe('wait')
    await fixture.api.clock.advance(72 * HOUR + 1)
    expect(await judge(order.id)).toEqual({ kind: 'go' })
  })

  it('of a large transfer ends with one approval, if the signer pins the ceremony', async () => {
    const member = await fixture.member({ USDT: '10000' })
    const order = await fixture.makeOrder(member, { amount: '6000' })
    expect(order.holds.map(({ reason }) => reason)).toEqual(['review-size'])
    await approve(order, [alice])
    expect(await judge(order.id)).toEqual({ kind: 'go' })
    expect((await judge(order.id, { pinned: false })).kind).toBe('wait')
    await fixture.signerReports()
    expect(await fixture.detail(member, order.id)).toMatchObject({ state: 'approved', queue: null })
    // The member is not told that the transfer goes out within minutes, because this signer does not obey the approval.
    for (const ceremony of [null, `0x${'ab'.repeat(32)}`] as const) {
      await fixture.signerReports(ceremony)
      const { queue } = await fixture.detail(member, order.id)
      expect(queue, String(ceremony)).toEqual({ reason: 'decision-not-obeyed', until: null, late: false })
    }
    await fixture.api.clock.advance(4 * 60)
    expect((await fixture.detail(member, order.id)).queue?.reason).toBe('decision-not-obeyed')
    await fixture.api.clock.advance(2 * 60)
    expect((await fixture.detail(member, order.id)).queue?.reason).toBe('signer-away')
    await fixture.signerReports()
    expect((await fixture.detail(member, order.id)).queue).toBeNull()
  })

  it('is not needed for a small transfer, which is late after ten minutes and shows why', async () => {
    const [member, other] = [await fixture.member({ USDT: '10000' }), await fixture.member()]
    const order = await fixture.makeOrder(member)
    // The other transfers of this file are not due.
    await sql`update lode.payout set look_at = lode.now() + interval '14 minutes' where id <> ${order.id}`.execute(
      fixture.owner,
    )
    await fixture.api.clock.advance(11 * 60)
    await fixture.signerReports()
    expect((await fixture.detail(member, order.id)).queue).toEqual({ reason: 'unknown', until: null, late: true })
    const otherId = await idOf(fixture.owner, other)
    const insertDueTransfers = sql`
      insert into lode.payout (id, kind, asset, amount, address, member_id, plan_version, level, look_at)
      select gen_random_uuid(), 'transfer', 'USDT', 1, decode(repeat('22', 20), 'hex'), ${otherId}, 1, 0,
             lode.now() - interval '1 hour'
      from generate_series(1, 100)`
    await withoutCauseChecks(fixture.owner, () => insertDueTransfers.execute(fixture.owner))
    expect((await fixture.detail(member, order.id)).queue?.reason).toBe('others-first')
    await sql`delete from lode.payout where look_at < lode.now() - interval '50 minutes'`.execute(fixture.owner)
  })

  it('above the second size needs two operators, and is publicly overdue after 72 hours', async () => {
    const overdue = () => countOverdue(fixture.asApi, { plans, operators })
    const before = await overdue()
    const member = await fixture.member({ USDT: '10000' })
    const order = await fixture.makeOrder(member, { amount: '9000' })
    expect(order.holds).toEqual([{ reason: 'review-size', endsAt: null }])
    await approve(order, [alice])
    await fixture.api.clock.advance(71 * HOUR)
    expect(await overdue()).toBe(before)
    await fixture.api.clock.advance(129 * HOUR)
    expect((await judge(order.id)).kind).toBe('wait')
    expect(await overdue()).toBe(before + 1)
    expect((await fixture.api.call('pool/figures', {})).body.data.transfersOverdue).toBe(before + 1)
    await approve(order, [bob])
    expect(await judge(order.id)).toEqual({ kind: 'go' })
    expect(await overdue()).toBe(before)
  })

  it('can end with a rejection, which unfreezes the money and shows the operators’ note', async () => {
    const member = await fixture.member({ USDT: '10000' })
    const order = await fixture.makeOrder(member, { amount: '6000' })
    await decide(fixture.owner, proposeRejection(order.id, about(order), 'Please ask us.'), [bob])
    expect((await judge(order.id, { pinned: false })).kind, 'it is not signed in the meantime').toBe('wait')
    await fixture.api.clock.advance(73 * HOUR)
    expect((await judge(order.id)).kind).toBe('wait')
    const reject = () =>
      fixture.worker.transaction().execute(async (trx) => {
        const [rejection] =
          (await operators.readVerified(trx, [`transfer:${order.id}`])).get(`transfer:${order.id}`) ?? []
        if (!rejection) throw new Error('nobody rejected it')
        return rejectTransfer(trx, rejection, { plans, operators })
      })
    expect(await reject()).toEqual({ ok: true, value: null })
    expect(await reject()).toEqual({ ok: false, error: 'the transfer is signed, or has ended' })
    const again = { ...member, token: (await logIn(fixture.api, member.wallet)).body.data.token }
    expect(await fixture.detail(again, order.id)).toMatchObject({
      state: 'rejected',
      status: 0,
      note: 'Please ask us.',
    })
    const held = await readBalances(fixture.owner, await idOf(fixture.owner, member))
    expect([held.USDT.available, held.USDT.frozenOut]).toEqual([10_000_000_000n, 0n])
  })

  it('is the only time at which operators can reject, with two signatures above the second size', async () => {
    const member = await fixture.member({ USDT: '20000' })
    const [small, huge] = [await fixture.makeOrder(member), await fixture.makeOrder(member, { amount: '9000' })]
    const reject = async (order: TransferOrder, by: TestOperator[]) => {
      await decide(fixture.owner, proposeRejection(order.id, about(order), 'No.'), by)
      return fixture.worker.transaction().execute(async (trx) => {
        const [rejection] =
          (await operators.readVerified(trx, [`transfer:${order.id}`])).get(`transfer:${order.id}`) ?? []
        if (!rejection) throw new Error('nobody rejected it')
        return rejectTransfer(trx, rejection, { plans, operators })
      })
    }
    expect(await reject(small, [alice])).toEqual({ ok: false, error: 'the transfer is not under review' })
    expect(await reject(huge, [alice])).toBeNull()
    expect(await reject(huge, [bob])).toEqual({ ok: true, value: null })
  })
})

describe('a pause', () => {
  it('stops signing until it ends or two operators resume, but not orders or cancels', async () => {
    const member = await fixture.member({ USDT: '100' })
    const order = await fixture.makeOrder(member)
    const until = new Date(Date.parse(order.requestedAt) + 48 * 3_600_000)
    await decide(fixture.owner, proposePause(until, 'The node is odd.'), [alice])
    expect((await fixture.detail(member, order.id)).queue).toMatchObject({
      reason: 'paused',
      until: until.toISOString(),
    })
    expect((await fixture.terms(member)).pausedUntil).toBe(until.toISOString())
    expect((await judge(order.id)).kind).toBe('wait')
    const meanwhile = await fixture.makeOrder(member)
    expect((await fixture.cancel(member, meanwhile.id)).body.data.state).toBe('cancelled')
    await decide(fixture.owner, proposeResume('All is well.'), [alice])
    expect((await judge(order.id)).kind).toBe('wait')
    await decide(fixture.owner, proposeResume(undefined), [bob])
    expect(await judge(order.id)).toEqual({ kind: 'go' })
    expect((await judge(order.id, { pinned: false })).kind, 'a signer without a pin obeys no resume').toBe('wait')
  })

  const pauseNow = async (note: string): Promise<Date> => {
    const { rows } = await sql<{ until: Date }>`
      select date_trunc('milliseconds', lode.now()) + interval '48 hours' as until`.execute(fixture.owner)
    const until = rows[0]?.until ?? new Date()
    await decide(fixture.owner, proposePause(until, note), [alice])
    return until
  }

  it('is not ended by a resume that began before it and that a stolen key completes', async () => {
    const member = await fixture.member({ USDT: '100' })
    const order = await fixture.makeOrder(member)
    await pauseNow('a drill')
    await decide(fixture.owner, proposeResume('The drill is over.'), [alice])
    await pauseNow('We are being robbed.')
    const { rows } = await sql<{ id: bigint; body: string }>`
      select id, body from lode.decision where verb = 'resume' order by id desc limit 1`.execute(fixture.owner)
    const [begun] = rows
    if (!begun) throw new Error('nobody began to resume')
    await sql`
      insert into lode.decision_signature (decision_id, place, operator, signature)
      values (${begun.id}, 2, ${Buffer.from(bob.publicKey, 'hex')}, ${bob.sign(begun.body)})`.execute(fixture.owner)
    expect((await judge(order.id)).kind).toBe('wait')

    // Honest operators do not add their signatures to it: they begin a new decision.
    await decide(fixture.owner, proposeResume('They are caught.'), [bob, alice])
    expect(await judge(order.id)).toEqual({ kind: 'go' })
  })

  it('stays in force while the operator chain has an invalid link, and nothing is signed meanwhile', async () => {
    const member = await fixture.member({ USDT: '100' })
    const order = await fixture.makeOrder(member)
    const until = await pauseNow('We are being robbed.')
    const thief = connectAttacker(fixture.api.database)
    await thief.insertForgedLink([alice, bob])
    for (const pinned of [true, false])
      expect(await judge(order.id, { pinned })).toMatchObject({
        kind: 'check',
        problem: expect.stringContaining('the operator chain does not verify'),
      })
    expect((await fixture.terms(member)).pausedUntil).toBe(until.toISOString())
    expect((await fixture.detail(member, order.id)).queue).toMatchObject({
      reason: 'paused',
      until: until.toISOString(),
    })

    await removeInvalidDecisions(fixture.owner, testPool())
    expect((await judge(order.id)).kind).toBe('wait')
    await decide(fixture.owner, proposeResume('All is well.'), [alice, bob])
    expect(await judge(order.id)).toEqual({ kind: 'go' })
    await thief.close()
  })

  it('is not hidden by a flood of invalid decisions: nothing is signed until they are removed', async () => {
    const member = await fixture.member({ USDT: '100' })
    const order = await fixture.makeOrder(member)
    await pauseNow('We are being robbed.')
    const thief = connectAttacker(fixture.api.database)
    await thief.insertForgedDecisions({ subject: 'payouts', verb: 'pause', by: [alice, bob], count: 500 })
    expect(await judge(order.id)).toMatchObject({ kind: 'check', problem: expect.stringContaining('more than 200') })
    expect((await fixture.terms(member)).symbols).toHaveLength(3)

    await removeInvalidDecisions(fixture.owner, testPool())
    expect((await judge(order.id)).kind).toBe('wait')
    await decide(fixture.owner, proposeResume('All is well.'), [alice, bob])
    expect(await judge(order.id)).toEqual({ kind: 'go' })
    await thief.close()
  })
})

it('the quota check of a transfer includes the member’s earlier transfers of that day', async () => {
  const member = await fixture.member({ USDT: '1000' }, 1)
  const first = await fixture.makeOrder(member, { amount: '300' })
  const second = await fixture.makeOrder(member, { amount: '200' })
  await credit(fixture.worker, await idOf(fixture.owner, member), 'USDT', '1000')
  const third = await forgeAndPost(member)
  expect([(await judge(first.id)).kind, (await judge(second.id)).kind]).toEqual(['go', 'go'])
  expect(await faultOf(third)).toMatch(/510000000 within 24 hours/)
})
