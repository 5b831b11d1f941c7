import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { units } from '@lode/kernel'
import { languages } from '@lode/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runsOf } from '../../testing/argon2-runs.ts'
import { logIn, registerMember } from '../../testing/member.ts'
import { plainWallet } from '../../testing/wallet.ts'
import { disableAccount } from '../identity/index.ts'
import { audit, balances, post } from '../ledger/index.ts'
import { credit, idOf, newKey, type Office, openOffice } from './testing/office.ts'

let office: Office
beforeAll(async () => {
  office = await openOffice()
})
afterAll(() => office.close())

const HELP_FOLDER = fileURLToPath(import.meta.resolve('../../../help'))

const reasonOf = async (answer: ReturnType<Office['order']>) => (await answer).body.reason

describe('a transfer out', () => {
  it.each([
    ['USDT', '10', '1', '20'],
    ['BTN', '1000', '100', '2000'],
    ['BTC', '0.0005', '0.00005', '1'],
  ] as const)(
    'of %s puts amount and fee aside, and is approved where nothing holds it',
    async (symbol, amount, fee, holding) => {
      const member = await office.member({ [symbol]: holding })
      const order = await office.made(member, { symbol, amount })
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
      const { body } = await office.api.call('wallet/assets', { account: member.wallet.account }, member)
      const item = body.data.items.find((each) => each.symbol === symbol)
      expect(Number(item?.balance)).toBeCloseTo(Number(holding) - Number(amount) - Number(fee))
      expect(Number(item?.freezeParts.out)).toBeCloseTo(Number(amount) + Number(fee))
      expect(Number(item?.quota?.left)).toBeCloseTo(Number(item?.quota?.total) - Number(amount))
      const log = await office.api.call('wallet/log', { account: member.wallet.account, symbol }, member)
      expect(log.body.data.lines[0]).toMatchObject({ type: 'transferOut', status: 'confirming', amount, fee })
    },
  )

  it.each(languages)('takes the fee on top of the amount, as the example of the help in %s says', async (language) => {
    const article = readFileSync(`${HELP_FOLDER}/${language}/08-what-we-never-ask.md`, 'utf8')
    const [amount = '', fee = '', taken = '', arrives = ''] = Array.from(
      article.matchAll(/(\d+) USDT/g),
      ([, figure = '']) => figure,
    )
    const member = await office.member({ USDT: '100' })
    const order = await office.made(member, { amount })
    expect(order).toMatchObject({ amount: arrives, fee })
    const { body } = await office.api.call('wallet/assets', { account: member.wallet.account }, member)
    expect(body.data.items[0]?.balance).toBe(String(100n - BigInt(taken)))
  })

  it('is cancelled with the token alone, and everything is as it was', async () => {
    const member = await office.member({ USDT: '100' })
    const before = await office.terms(member)
    const { id } = await office.made(member, { amount: '50' })
    const { body } = await office.cancel(member, id)
    expect(body.data).toMatchObject({ state: 'cancelled', status: 0, cancellable: false, holds: [] })
    expect((await office.terms(member)).symbols).toEqual(before.symbols)
    expect((await office.cancel(member, id)).body.reason).toBe('order-completed')
    const held = await balances(office.owner, await idOf(office.owner, member))
    expect([held.USDT.available, held.USDT.frozenOut]).toEqual([100_000_000n, 0n])
  })

  it('cannot be cancelled by another, nor looked at', async () => {
    const [member, other] = [await office.member({ USDT: '100' }), await office.member()]
    const { id } = await office.made(member)
    expect((await office.cancel(other, id)).body.reason).toBe('order-unknown')
    const detail = await office.api.call('order/detail', { account: other.wallet.account, id }, other)
    expect(detail.body.reason).toBe('order-unknown')
  })

  it('cannot be cancelled once it is signed', async () => {
    const member = await office.member({ USDT: '100' })
    const { id } = await office.made(member)
    await sql`
      with signed as (
        insert into lode.release (kind, payer, nonce, call, gas)
        values ('payouts', decode(repeat('11', 20), 'hex'), 7, decode('00', 'hex'), 1) returning number)
      update lode.payout set release_number = (select number from signed) where id = ${id}`.execute(office.owner)
    expect((await office.cancel(member, id)).body.reason).toBe('order-completed')
    expect(await office.detail(member, id)).toMatchObject({ state: 'signed', status: 3, cancellable: false })
  })

  it('that was paid is final, and names the transaction that paid it, in the log too', async () => {
    const member = await office.member({ USDT: '100' })
    const { id } = await office.made(member)
    const memberId = await idOf(office.owner, member)
    const tx = `0x${'5e'.repeat(32)}`
    const from = { kind: 'frozenOut', member: memberId, line: { type: 'transferOut', operation: id } } as const
    const asset = 'USDT'
    await post(office.worker, [
      {
        type: 'transferPaid',
        key: `chain:31337:${tx}:0`,
        moves: [
          { asset, amount: units(asset, 10_000_000n), from, to: 'custody:vault' },
          { asset, amount: units(asset, 1_000_000n), from, to: 'pool:operations' },
        ],
      },
    ])
    await sql`
      update lode.payout set ended = 'final', ended_at = lode.now(), paid_tx = decode(${tx.slice(2)}, 'hex'),
        paid_log_index = 0, paid_at = lode.now() where id = ${id}`.execute(office.owner)
    expect(await office.detail(member, id)).toMatchObject({ state: 'final', status: 1, tx, cancellable: false })
    const { body } = await office.api.call('wallet/log', { account: member.wallet.account, symbol: asset }, member)
    expect(body.data.lines[0]).toMatchObject({ type: 'transferOut', status: 'confirmed', tx, fee: '1' })
    expect((await office.terms(member)).symbols[0]?.quota.left).toBe('9990')
  })

  it('of a disabled account, by a token for leaving, is made, reviewed and cancelled like any other', async () => {
    const member = await office.member({ USDT: '100' })
    await disableAccount(office.owner, member.wallet.account)
    const { body } = await logIn(office.api, member.wallet, { exit: true, device: 'BrowserOfRegistration0' })
    const leaving = { ...member, token: body.data.token }
    expect(await office.terms(leaving)).toMatchObject({ reviewed: true, holds: [] })
    const order = await office.made(leaving)
    const endsAt = new Date(Date.parse(order.requestedAt) + 72 * 3_600_000).toISOString()
    expect(order).toMatchObject({ state: 'held', holds: [{ reason: 'review-account', endsAt }] })
    const list = await office.api.call('order/list', { account: member.wallet.account, type: '2' }, leaving)
    expect(list.body.data.items.map(({ id }) => id)).toEqual([order.id])
    expect((await office.cancel(leaving, order.id)).body.data.state).toBe('cancelled')
  })
})

describe('an order is refused', () => {
  it('for the first thing that speaks against it, in the order in which members are told', async () => {
    const member = await office.member({ USDT: '5' }, 0)
    const wrong = { password: 'Wrong123' }
    const other = plainWallet().account
    const all = { planVersion: 2, address: other, amount: '0.5', ...wrong }
    expect(await reasonOf(office.order(member, { ...all, amount: '0.0000001' }))).toBe('format')
    expect(await reasonOf(office.order(member, { ...all, amount: '0' }))).toBe('format')
    expect(await reasonOf(office.order(member, all))).toBe('plan-changed')
    expect(await reasonOf(office.order(member, { address: other, amount: '0.5', ...wrong }))).toBe(
      'output-address-changed',
    )
    expect(await reasonOf(office.order(member, { amount: '9.999999', ...wrong }))).toBe('amount-range')
    expect(await reasonOf(office.order(member, { amount: '50000.000001', ...wrong }))).toBe('amount-range')
    expect(await reasonOf(office.order(member, { amount: '200', ...wrong }))).toBe('balance-insufficient')
    await credit(office.worker, await idOf(office.owner, member), 'USDT', '1000')
    expect(await reasonOf(office.order(member, { amount: '200', ...wrong }))).toBe('quota-insufficient')
    expect(await reasonOf(office.order(member, { amount: '100', ...wrong }))).toBe('fund-password-wrong')
    expect(await reasonOf(office.order(member, { amount: '100' }))).toBeUndefined()
    expect(await reasonOf(office.order(member, { amount: '10' }))).toBe('quota-insufficient')
  })

  it('to the last unit: what is there beside the fee can be taken, one unit more cannot', async () => {
    const member = await office.member({ USDT: '20' })
    expect(await reasonOf(office.order(member, { amount: '19.000001' }))).toBe('balance-insufficient')
    expect(await reasonOf(office.order(member, { amount: '19' }))).toBeUndefined()
  })

  it('without a fund password, and with a wrong one five times over', async () => {
    const unset = await registerMember(office.api)
    await credit(office.worker, await idOf(office.owner, unset), 'USDT', '100')
    const runs = await runsOf(office.api, async () => {
      expect(await reasonOf(office.order(unset))).toBe('fund-password-unset')
    })
    expect(runs, 'it costs what a wrong one costs').toEqual({ dummy: 1 })
    const member = await office.member({ USDT: '100' })
    const reasons = []
    for (let tries = 0; tries < 6; tries += 1)
      reasons.push(await reasonOf(office.order(member, { password: `Wrong${tries}` })))
    expect(reasons).toEqual([...Array(4).fill('fund-password-wrong'), 'fund-password-locked', 'fund-password-locked'])
    expect(await reasonOf(office.order(member))).toBe('fund-password-locked')
  })

  it('where no plan is published', async () => {
    const without = await openOffice({}, null)
    try {
      const member = await without.member({ USDT: '100' })
      expect(await reasonOf(without.order(member))).toBe('plan-none')
      const terms = await without.api.call('transfer/terms', { account: member.wallet.account }, member)
      expect(terms.body.reason).toBe('plan-none')
      const assets = await without.api.call('wallet/assets', { account: member.wallet.account }, member)
      expect(assets.body.data.items.map(({ quota }) => quota)).toEqual([null, null, null])
    } finally {
      await without.close()
    }
  })
})

describe('a key', () => {
  it('is answered with its order for ever, as the order stands by then', async () => {
    const member = await office.member({ USDT: '100' })
    const key = newKey()
    const first = await office.made(member, { key })
    expect(await office.made(member, { key, password: 'Another1' })).toEqual(first)
    await office.cancel(member, first.id)
    expect(await office.made(member, { key })).toMatchObject({ id: first.id, state: 'cancelled' })
  })

  it('is answered with its refusal for ever, that of a password included, which is not verified again', async () => {
    const member = await office.member({ USDT: '10' })
    const [poor, guessed] = [newKey(), newKey()]
    expect(await reasonOf(office.order(member, { key: poor }))).toBe('balance-insufficient')
    await credit(office.worker, await idOf(office.owner, member), 'USDT', '100')
    expect(await reasonOf(office.order(member, { key: poor }))).toBe('balance-insufficient')
    for (let tries = 0; tries < 7; tries += 1)
      expect(await reasonOf(office.order(member, { key: guessed, password: 'Wrong123' }))).toBe('fund-password-wrong')
    expect(await reasonOf(office.order(member, { key: guessed }))).toBe('fund-password-wrong')
    expect(await reasonOf(office.order(member))).toBeUndefined()
  })

  it('serves for its terms alone', async () => {
    const member = await office.member({ USDT: '100' })
    const key = newKey()
    const { id } = await office.made(member, { key })
    expect(await reasonOf(office.order(member, { key, amount: '11' }))).toBe('key-conflict')
    expect((await office.cancel(member, id, key)).body.reason).toBe('key-conflict')
  })

  it('makes one order of many presses at once', async () => {
    const member = await office.member({ USDT: '100' })
    const key = newKey()
    const orders = await Promise.all(Array.from({ length: 8 }, () => office.made(member, { key })))
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
  })
})

describe('the fund password', () => {
  it('locks nobody who has it right, however often it comes at once', async () => {
    const member = await office.member({ USDT: '1000' })
    const answers = await Promise.all(Array.from({ length: 12 }, () => office.order(member)))
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  })

  it('is asked of nobody whose session ended while the order waited in line', async () => {
    const member = await office.member({ USDT: '1000' })
    const waiting = Array.from({ length: 12 }, () => office.order(member))
    await waiting[0]
    await sql`delete from lode.session where member_id = ${await idOf(office.owner, member)}`.execute(office.owner)
    const answers = await Promise.all(waiting)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]))
    const remembered = await sql`
      select from lode.command where answer = to_jsonb('session-expired'::text)`.execute(office.owner)
    expect(remembered.rows).toEqual([])
  })
})

describe('orders', () => {
  it('are listed newest first, page by page, by symbol and by status', async () => {
    const member = await office.member({ USDT: '1000', BTC: '1' })
    const made: string[] = []
    for (let count = 0; count < 5; count += 1) made.push((await office.made(member)).id)
    const bitcoin = (await office.made(member, { symbol: 'BTC', amount: '0.001' })).id
    await office.cancel(member, made[1] ?? '')
    const list = async (also: object) =>
      (await office.api.call('order/list', { account: member.wallet.account, type: '2', ...also }, member)).body.data
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

  it('leave books that are right to the last unit', async () => {
    const report = await audit(office.owner)
    expect(report.findings).toEqual([])
  })
})
