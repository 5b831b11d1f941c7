import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { units } from '@lode/kernel'
import { languages } from '@lode/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countArgon2Runs } from '../../testing/argon2-runs.ts'
import { disableMember } from '../../testing/disabled-member.ts'
import { logIn, registerMember } from '../../testing/member.ts'
import { createTestWallet } from '../../testing/wallet.ts'
import { audit, post, readBalances } from '../ledger/index.ts'
import { credit, idOf, newKey, startTransferFixture, type TransferFixture } from './testing/transfer-fixture.ts'

let fixture: TransferFixture
beforeAll(async () => {
  fixture = await startTransferFixture()
})
afterAll(() => fixture.close())

const HELP_FOLDER = fileURLToPath(import.meta.resolve('../../../help'))

const reasonOf = async (answer: ReturnType<TransferFixture['tryOrder']>) => (await answer).body.reason

describe('a transfer out', () => {
  it.each([
    ['USDT', '10', '1', '20'],
    ['BTN', '1000', '100', '2000'],
    ['BTC', '0.0005', '0.00005', '1'],
  ] as const)(
    'of %s freezes amount and fee, and is approved if nothing holds it',
    async (symbol, amount, fee, holding) => {
      const member = await fixture.member({ [symbol]: holding })
      const order = await fixture.makeOrder(member, { symbol, amount })
      expect(order).toMatchObject({
        type: 2,
        status: 2,
        state: 'approved',
        symbol,
        amount,
        fee,
        address: member.wallet.account,
        own: true,
        holds: [],
        queue: null,
        cancellable: true,
        tx: null,
        note: null,
        planVersion: 1,
        steps: [
          { state: 'requested', at: order.requestedAt },
          { state: 'approved', at: order.requestedAt },
        ],
      })
      const { body } = await fixture.api.call('wallet/assets', { account: member.wallet.account }, member)
      const item = body.data.items.find((each) => each.symbol === symbol)
      expect(Number(item?.balance)).toBeCloseTo(Number(holding) - Number(amount) - Number(fee))
      expect(Number(item?.freezeParts.out)).toBeCloseTo(Number(amount) + Number(fee))
      expect(Number(item?.quota?.left)).toBeCloseTo(Number(item?.quota?.total) - Number(amount))
      const log = await fixture.api.call('wallet/log', { account: member.wallet.account, symbol }, member)
      expect(log.body.data.lines[0]).toMatchObject({ type: 'transferOut', status: 'confirming', amount, fee })
    },
  )

  it.each(languages)('takes the fee on top of the amount, as in the help article’s example in %s', async (language) => {
    const article = readFileSync(`${HELP_FOLDER}/${language}/09-what-we-never-ask.md`, 'utf8')
    const [amount = '', fee = '', taken = '', arrives = ''] = Array.from(
      article.matchAll(/(\d+) USDT/g),
      ([, figure = '']) => figure,
    )
    const member = await fixture.member({ USDT: '100' })
    const order = await fixture.makeOrder(member, { amount })
    expect(order).toMatchObject({ amount: arrives, fee })
    const { body } = await fixture.api.call('wallet/assets', { account: member.wallet.account }, member)
    expect(body.data.items[0]?.balance).toBe(String(100n - BigInt(taken)))
  })

  it('is canceled without a password, which restores balance and quota', async () => {
    const member = await fixture.member({ USDT: '100' })
    const before = await fixture.terms(member)
    const { id } = await fixture.makeOrder(member, { amount: '50' })
    const { body } = await fixture.cancel(member, id)
    expect(body.data).toMatchObject({ state: 'cancelled', status: 0, cancellable: false, holds: [] })
    expect((await fixture.terms(member)).symbols).toEqual(before.symbols)
    expect((await fixture.cancel(member, id)).body.reason).toBe('order-completed')
    const held = await readBalances(fixture.owner, await idOf(fixture.owner, member))
    expect([held.USDT.available, held.USDT.frozenOut]).toEqual([100_000_000n, 0n])
  })

  it('cannot be canceled or read by another member', async () => {
    const [member, other] = [await fixture.member({ USDT: '100' }), await fixture.member()]
    const { id } = await fixture.makeOrder(member)
    expect((await fixture.cancel(other, id)).body.reason).toBe('order-unknown')
    const detail = await fixture.api.call('order/detail', { account: other.wallet.account, id }, other)
    expect(detail.body.reason).toBe('order-unknown')
  })

  it('cannot be canceled once it is signed', async () => {
    const member = await fixture.member({ USDT: '100' })
    const { id } = await fixture.makeOrder(member)
    await sql`
      with signed as (
        insert into lode.release (kind, payer, nonce, call, gas)
        values ('payouts', decode(repeat('11', 20), 'hex'), 7, decode('00', 'hex'), 1) returning number)
      update lode.payout set release_number = (select number from signed) where id = ${id}`.execute(fixture.owner)
    expect((await fixture.cancel(member, id)).body.reason).toBe('order-completed')
    expect(await fixture.detail(member, id)).toMatchObject({ state: 'signed', status: 3, cancellable: false })
  })

  it('that was paid is final, and shows its chain transaction, also in the log', async () => {
    const member = await fixture.member({ USDT: '100' })
    const { id } = await fixture.makeOrder(member)
    const memberId = await idOf(fixture.owner, member)
    const tx = `0x${'5e'.repeat(32)}`
    const from = { kind: 'frozenOut', member: memberId, line: { type: 'transferOut', operation: id } } as const
    const asset = 'USDT'
    await sql`
      insert into lode.chain_state (chain_id, vault, genesis_hash, posted_number, posted_hash, posted_time)
      values (31337, ${Buffer.alloc(20)}, ${Buffer.alloc(32)}, 0, ${Buffer.alloc(32)}, lode.now())`.execute(
      fixture.owner,
    )
    await fixture.worker.transaction().execute(async (trx) => {
      await post(trx, [
        {
          type: 'transferPaid',
          key: `chain:31337:${tx}:0`,
          moves: [
            { asset, amount: units(asset, 10_000_000n), from, to: 'custody:vault' },
            { asset, amount: units(asset, 1_000_000n), from, to: 'pool:operations' },
          ],
        },
      ])
      await sql`select lode.settle_payout(${id}, decode(${tx.slice(2)}, 'hex'), 0, lode.now())`.execute(trx)
    })
    expect(await fixture.detail(member, id)).toMatchObject({ state: 'final', status: 1, tx, cancellable: false })
    const { body } = await fixture.api.call('wallet/log', { account: member.wallet.account, symbol: asset }, member)
    expect(body.data.lines[0]).toMatchObject({ type: 'transferOut', status: 'confirmed', tx, fee: '1' })
    expect((await fixture.terms(member)).symbols[0]?.quota.left).toBe('9990')
  })

  it('of a disabled account can be made in an exit session, is reviewed and can be canceled', async () => {
    const member = await fixture.member({ USDT: '100' })
    await disableMember(fixture.owner, member.wallet.account)
    const { body } = await logIn(fixture.api, member.wallet, { exit: true, device: 'BrowserOfRegistration0' })
    const leaving = { ...member, token: body.data.token }
    expect(await fixture.terms(leaving)).toMatchObject({ reviewed: true, holds: [] })
    const order = await fixture.makeOrder(leaving)
    const endsAt = new Date(Date.parse(order.requestedAt) + 72 * 3_600_000).toISOString()
    expect(order).toMatchObject({ state: 'held', holds: [{ reason: 'review-account', endsAt }] })
    const list = await fixture.api.call('order/list', { account: member.wallet.account, type: '2' }, leaving)
    expect(list.body.data.items.map(({ id }) => id)).toEqual([order.id])
    expect((await fixture.cancel(leaving, order.id)).body.data.state).toBe('cancelled')
  })
})

describe('an order is refused', () => {
  it('for the first objection, in a fixed order', async () => {
    const member = await fixture.member({ USDT: '5' }, 0)
    const wrong = { password: 'Wrong123' }
    const other = createTestWallet().account
    const all = { planVersion: 2, address: other, amount: '0.5', ...wrong }
    expect(await reasonOf(fixture.tryOrder(member, { ...all, amount: '0.0000001' }))).toBe('format')
    expect(await reasonOf(fixture.tryOrder(member, { ...all, amount: '0' }))).toBe('format')
    expect(await reasonOf(fixture.tryOrder(member, all))).toBe('plan-changed')
    expect(await reasonOf(fixture.tryOrder(member, { address: other, amount: '0.5', ...wrong }))).toBe(
      'output-address-changed',
    )
    expect(await reasonOf(fixture.tryOrder(member, { amount: '9.999999', ...wrong }))).toBe('amount-range')
    expect(await reasonOf(fixture.tryOrder(member, { amount: '50000.000001', ...wrong }))).toBe('amount-range')
    expect(await reasonOf(fixture.tryOrder(member, { amount: '200', ...wrong }))).toBe('balance-insufficient')
    await credit(fixture.worker, await idOf(fixture.owner, member), 'USDT', '1000')
    expect(await reasonOf(fixture.tryOrder(member, { amount: '200', ...wrong }))).toBe('quota-insufficient')
    expect(await reasonOf(fixture.tryOrder(member, { amount: '100', ...wrong }))).toBe('fund-password-wrong')
    expect(await reasonOf(fixture.tryOrder(member, { amount: '100' }))).toBeUndefined()
    expect(await reasonOf(fixture.tryOrder(member, { amount: '10' }))).toBe('quota-insufficient')
  })

  it('if amount and fee exceed the balance by one unit', async () => {
    const member = await fixture.member({ USDT: '20' })
    expect(await reasonOf(fixture.tryOrder(member, { amount: '19.000001' }))).toBe('balance-insufficient')
    expect(await reasonOf(fixture.tryOrder(member, { amount: '19' }))).toBeUndefined()
  })

  it('without a fund password, and after five wrong ones', async () => {
    const unset = await registerMember(fixture.api)
    await credit(fixture.worker, await idOf(fixture.owner, unset), 'USDT', '100')
    const runs = await countArgon2Runs(fixture.api, async () => {
      expect(await reasonOf(fixture.tryOrder(unset))).toBe('fund-password-unset')
    })
    expect(runs, 'it takes as much work as a wrong password').toEqual({ dummy: 1 })
    const member = await fixture.member({ USDT: '100' })
    const reasons = []
    for (let tries = 0; tries < 6; tries += 1)
      reasons.push(await reasonOf(fixture.tryOrder(member, { password: `Wrong${tries}` })))
    expect(reasons).toEqual([...Array(4).fill('fund-password-wrong'), 'fund-password-locked', 'fund-password-locked'])
    expect(await reasonOf(fixture.tryOrder(member))).toBe('fund-password-locked')
  })

  it('if no plan is published', async () => {
    const without = await startTransferFixture({}, null)
    try {
      const member = await without.member({ USDT: '100' })
      expect(await reasonOf(without.tryOrder(member))).toBe('plan-none')
      const terms = await without.api.call('transfer/terms', { account: member.wallet.account }, member)
      expect(terms.body.reason).toBe('plan-none')
      const assets = await without.api.call('wallet/assets', { account: member.wallet.account }, member)
      expect(assets.body.data.items.map(({ quota }) => quota)).toEqual([null, null, null])
    } finally {
      await without.close()
    }
  })
})

describe('an idempotency key', () => {
  it('always returns its order, in the order’s present state', async () => {
    const member = await fixture.member({ USDT: '100' })
    const key = newKey()
    const first = await fixture.makeOrder(member, { key })
    expect(await fixture.makeOrder(member, { key, password: 'Another1' })).toEqual(first)
    await fixture.cancel(member, first.id)
    expect(await fixture.makeOrder(member, { key })).toMatchObject({ id: first.id, state: 'cancelled' })
  })

  it('always returns its refusal, and a refused password is not verified again', async () => {
    const member = await fixture.member({ USDT: '10' })
    const [poor, guessed] = [newKey(), newKey()]
    expect(await reasonOf(fixture.tryOrder(member, { key: poor }))).toBe('balance-insufficient')
    await credit(fixture.worker, await idOf(fixture.owner, member), 'USDT', '100')
    expect(await reasonOf(fixture.tryOrder(member, { key: poor }))).toBe('balance-insufficient')
    for (let tries = 0; tries < 7; tries += 1)
      expect(await reasonOf(fixture.tryOrder(member, { key: guessed, password: 'Wrong123' }))).toBe(
        'fund-password-wrong',
      )
    expect(await reasonOf(fixture.tryOrder(member, { key: guessed }))).toBe('fund-password-wrong')
    expect(await reasonOf(fixture.tryOrder(member))).toBeUndefined()
  })

  it('cannot be used with other terms', async () => {
    const member = await fixture.member({ USDT: '100' })
    const key = newKey()
    const { id } = await fixture.makeOrder(member, { key })
    expect(await reasonOf(fixture.tryOrder(member, { key, amount: '11' }))).toBe('key-conflict')
    expect((await fixture.cancel(member, id, key)).body.reason).toBe('key-conflict')
  })

  it('makes one order out of many calls at once', async () => {
    const member = await fixture.member({ USDT: '100' })
    const key = newKey()
    const orders = await Promise.all(Array.from({ length: 8 }, () => fixture.makeOrder(member, { key })))
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
  })
})

describe('the fund password', () => {
  it('is not locked by many correct entries at once', async () => {
    const member = await fixture.member({ USDT: '1000' })
    const answers = await Promise.all(Array.from({ length: 12 }, () => fixture.tryOrder(member)))
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  })

  it('is not checked if the session ended while the order waited in the queue', async () => {
    const member = await fixture.member({ USDT: '1000' })
    const waiting = Array.from({ length: 12 }, () => fixture.tryOrder(member))
    await waiting[0]
    await sql`delete from lode.session where member_id = ${await idOf(fixture.owner, member)}`.execute(fixture.owner)
    const answers = await Promise.all(waiting)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]))
    const remembered = await sql`
      select from lode.command where answer = to_jsonb('session-expired'::text)`.execute(fixture.owner)
    expect(remembered.rows).toEqual([])
  })
})

describe('orders', () => {
  it('are listed newest first, page by page, by symbol and by status', async () => {
    const member = await fixture.member({ USDT: '1000', BTC: '1' })
    const made: string[] = []
    for (let count = 0; count < 5; count += 1) made.push((await fixture.makeOrder(member)).id)
    const bitcoin = (await fixture.makeOrder(member, { symbol: 'BTC', amount: '0.001' })).id
    await fixture.cancel(member, made[1] ?? '')
    const list = async (also: object) =>
      (await fixture.api.call('order/list', { account: member.wallet.account, type: '2', ...also }, member)).body.data
    const pages: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: '2', ...(cursor && { cursor }) })
      pages.push(...page.items.map(({ id }) => id))
      cursor = page.next
    }
    expect(pages).toEqual([...made, bitcoin].toReversed())
    const idsOf = async (also: object) => (await list(also)).items.map(({ id }) => id)
    expect(await idsOf({ symbol: 'BTC' })).toEqual([bitcoin])
    expect(await idsOf({ status: '0' })).toEqual([made[1]])
    expect(await idsOf({ status: '2' })).toEqual([...made.filter((id) => id !== made[1]), bitcoin].toReversed())
    expect([await idsOf({ status: '1' }), await idsOf({ status: '3' })]).toEqual([[], []])
  })

  it('leave a ledger without audit findings', async () => {
    const report = await audit(fixture.owner)
    expect(report.findings).toEqual([])
  })
})
