import { btnTokenAbi } from '@lode/contracts'
import { type Asset, assets } from '@lode/kernel'
import { type ServerSettings, startApi, startWorker } from '@lode/scripts/server'
import { orderTypes } from '@lode/wire'
import { createPublicClient, formatUnits, http, maxUint256, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { query } from '../sim/query.ts'
import { callRoute } from './call-route.ts'
import { cast, type Role } from './cast.ts'
import { checkIncome } from './income.ts'
import { Member } from './member.ts'
import { type DemoSize, drawMemberScripts } from './member-scripts.ts'

/** A finished demo, and the time at which its history ends. */
type Demo = { readonly settings: ServerSettings; readonly size: DemoSize; readonly end: Date }

const DAY_MS = 86_400_000
const BTC_DECIMALS = 8
const BTN_DECIMALS = 18
/** The scale of the per-weight figures of a closed day (see docs/production.md). */
const SCALE = 10n ** 36n
const WINDOW_DAYS = 30

/**
 * The demo must not look like a fraud: these tests compare what its pool produced, paid and owes with what was bought.
 * They need only the demo, so the full one and the small one share them. Registers the tests in the calling describe
 * block.
 */
export function testPlausibleFigures(demoOf: () => Demo, { isLong }: { isLong: boolean }): void {
  let demo: Demo
  let origin: string
  const stops: (() => Promise<unknown>)[] = []
  const members = new Map<string, Member>()

  beforeAll(async () => {
    demo = demoOf()
    const { settings, size } = demo
    origin = `http://127.0.0.1:${settings.apiPort}`
    // Hundreds of members sign in from this one address.
    const extraEnvironment = { ...settings.extraEnvironment, RATE_LIMITS: 'off' }
    const running = await Promise.all([startApi({ ...settings, extraEnvironment }), startWorker(settings)])
    stops.push(...running.map((one) => () => one.stop()))
    for (const life of drawMemberScripts(size)) {
      if (life.role === null) continue
      const member = new Member(origin, size.seed, life)
      await member.signIn({ exit: life.role === 'disabled' })
      members.set(life.role, member)
    }
    // The worker reads the price feeds when it starts.
    await vi.waitUntil(async () => Object.keys(await pricesIn(settings.ownerUrl)).length === 2, { timeout: 30_000 })
  }, 300_000)
  afterAll(async () => {
    for (const stop of stops) await stop()
  })

  it('what members earned is the sum of their log lines, and the same in the statement', async () => {
    expect(await checkIncome(origin, demo.size)).toBeGreaterThan(isLong ? 50 : 5)
  }, 240_000)

  it('its BTC could have been mined with the computing power sold: 0.0000003 to 0.0000007 BTC per TH/s and day', async () => {
    const [row] = await query<{ mined: string; power: string }>(
      demo.settings.ownerUrl,
      `select (select sum(amount) from lode.dividend_funding)::text as mined, sum(sold.power)::text as power
       from lode.production_day closed, lateral (
         select coalesce(sum(power), 0) as power from lode.pay_order
         where type = $1 and ended = 'success' and ended_at < to_timestamp((closed.day + 1) * 86400::bigint)
       ) sold`,
      [orderTypes.promotion],
    )
    const perPowerAndDay = Number(row?.mined) / 10 ** BTC_DECIMALS / Number(row?.power)
    expect(perPowerAndDay * 1e6).toBeGreaterThan(0.3)
    expect(perPowerAndDay * 1e6).toBeLessThan(0.7)
  })

  it('nobody received more in dividends in 30 days than 2 % of the value that they had pledged', async () => {
    const { ownerUrl } = demo.settings
    const prices = await pricesIn(ownerUrl)
    const rows = await query<{ member: string; day: number; credit: string; pledged: string }>(
      ownerUrl,
      `select member_id::text as member, day, sum(weight * quotient)::text as credit, sum(amount)::text as pledged
       from (select pledge.member_id, closed.day, pledge.weight, closed.quotient, pledge.amount
             from lode.pledge join lode.production_day closed
               on closed.day >= pledge.start_day and closed.day < pledge.end_day) shared
       group by member_id, day order by member_id, day`,
    )
    const byMember = Map.groupBy(rows, ({ member }) => member)
    const parts = Array.from(byMember, ([member, days]) => ({
      member,
      part: Math.max(
        ...days.map(({ day: last }) => {
          const window = days.filter(({ day }) => day > last - WINDOW_DAYS && day <= last)
          const credit = window.reduce((sum, one) => sum + BigInt(one.credit), 0n) / SCALE
          const pledged = window.reduce((most, one) => (BigInt(one.pledged) > most ? BigInt(one.pledged) : most), 0n)
          return worthOf(credit, BTC_DECIMALS, prices.BTC) / worthOf(pledged, BTN_DECIMALS, prices.BTN)
        }),
      ),
    }))
    expect(parts.length).toBeGreaterThan(5)
    expect(parts.filter(({ part }) => part > 0.02)).toEqual([])
    // And the figures are not zero.
    expect(Math.max(...parts.map(({ part }) => part))).toBeGreaterThan(0.001)
  })

  it('no account of the cast has more than twice what it paid in, including what it took out', async () => {
    for (const [role, member] of members) {
      const { total } = await member.call('wallet/statement', {})
      expect.soft(total.without, role).toEqual([])
      const has = Number(total.held) + Number(total.takenOut)
      expect.soft(has, `${role} paid in ${total.paidIn}`).toBeLessThanOrEqual(2 * Number(total.paidIn))
    }
  })

  it('the operators paid for the computing power that was sold, with public treasury payments', async () => {
    const { items } = await callRoute(origin, 'pool/payments', { limit: '100' })
    const forPower = items.filter(({ from }) => from === 'pool:mining')
    expect(forPower.length).toBeGreaterThanOrEqual(5)
    for (const { state, tx, purpose } of items) expect([state, tx === null, purpose]).toEqual(['paid', false, purpose])
    for (const { purpose } of forPower)
      expect(purpose).toMatch(/^Computing power: \d+ TH\/s for 36 months, invoice \d+$/)
    const paid = forPower.reduce((sum, { amount }) => sum + Number(amount), 0)
    const { totals } = await callRoute(origin, 'pool/figures', {})
    expect(paid).toBeGreaterThan(Number(totals?.investment) / 2)
    expect(paid).toBeLessThanOrEqual(Number(totals?.investment))
  })

  it('its prices are from its last day, and 12,000 BTN are worth less than the 100 USDT that level 1 costs', async () => {
    const prices = await pricesIn(demo.settings.ownerUrl)
    for (const { at } of Object.values(prices)) {
      expect(at.getTime()).toBeLessThanOrEqual(demo.end.getTime() + DAY_MS / 24)
      expect(demo.end.getTime() - at.getTime()).toBeLessThan(DAY_MS / 24)
    }
    expect(12_000 * Number(prices.BTN.price)).toBeLessThan(100)
  })

  it('every account can start a payment: its wallet has the money and the fee, and no allowance yet', async () => {
    const { contracts, chain } = demo.settings
    const client = createPublicClient({ transport: http(chain.rpcUrl) })
    const tokens = { USDT: contracts.usdt, BTN: contracts.btn, BTC: contracts.btc } as const
    // Enough for a pledge, the most expensive level and a deposit.
    const least: Record<Asset, bigint> = {
      USDT: parseUnits('1600', 6),
      BTN: parseUnits('20000', BTN_DECIMALS),
      BTC: parseUnits('0.01', BTC_DECIMALS),
    }
    for (const { name, hasUnlimitedAllowance } of cast as readonly Role[]) {
      const account = members.get(name)?.wallet.address
      if (!account) throw new Error(`nobody is ${name}`)
      expect.soft(await client.getBalance({ address: account }), `${name}: ether`).toBeGreaterThan(parseUnits('1', 18))
      for (const symbol of assets) {
        const token = { address: tokens[symbol], abi: btnTokenAbi } as const
        const held = await client.readContract({ ...token, functionName: 'balanceOf', args: [account] })
        const allowed = await client.readContract({
          ...token,
          functionName: 'allowance',
          args: [account, contracts.vault],
        })
        expect.soft(held, `${name}: ${symbol}`).toBeGreaterThanOrEqual(least[symbol])
        const unlimited = hasUnlimitedAllowance && symbol !== 'BTC'
        expect.soft(allowed, `${name}: allowance of ${symbol}`).toBe(unlimited ? maxUint256 : 0n)
      }
    }
    expect((cast as readonly Role[]).filter(({ hasUnlimitedAllowance }) => hasUnlimitedAllowance)).toHaveLength(1)
  })

  // A short history mines too little for this test.
  if (!isLong) return
  it('the pledger can transfer out BTC that it received as dividends', async () => {
    const pledger = members.get('pledger')
    if (!pledger) throw new Error('nobody is the pledger')
    const { accounts } = await pledger.call('wallet/statement', {})
    expect(accounts.find(({ symbol }) => symbol === 'BTC')?.paidIn.amount).toBe('0')
    const terms = (await pledger.call('transfer/terms', {})).symbols.find(({ symbol }) => symbol === 'BTC')
    const units = (amount: string | undefined): bigint => parseUnits(amount ?? '', BTC_DECIMALS)
    expect(units(terms?.available)).toBeGreaterThanOrEqual(units(terms?.min) + units(terms?.fee))
  })
}

type Price = { readonly price: string; readonly at: Date }

async function pricesIn(ownerUrl: string): Promise<Record<'BTC' | 'BTN', Price>> {
  const rows = await query<Price & { asset: string }>(
    ownerUrl,
    'select asset, price::text as price, at from lode.price',
  )
  return Object.fromEntries(rows.map(({ asset, price, at }) => [asset, { price, at }])) as Record<'BTC' | 'BTN', Price>
}

/** In USDT, precise enough for comparisons. */
const worthOf = (units: bigint, decimals: number, { price }: Price): number =>
  Number(formatUnits(units, decimals)) * Number(price)
