import { type Asset, units } from '@lode/kernel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MemberBalances, MemberSum } from '../ledger/index.ts'
import { computeAccounts, computePeriod, formatStatement, roundToCents } from './statement.ts'

const decimals = { USDT: 6, BTN: 18, BTC: 8 }
const at = new Date('2026-11-15T06:00:00Z')

const balancesOf = <A extends Asset>(asset: A, available = 0n, pledged = 0n) => ({
  available: units(asset, available),
  frozenOut: units(asset, 0n),
  frozenOrder: units(asset, 0n),
  pledged: units(asset, pledged),
  agentUnclaimed: units(asset, 0n),
})
const nothing: MemberBalances = { USDT: balancesOf('USDT'), BTN: balancesOf('BTN'), BTC: balancesOf('BTC') }

const sumOf = (asset: Asset, type: MemberSum['type'], amount: bigint, fee = 0n): MemberSum => ({
  asset,
  type,
  amount,
  fee,
})

const history = {
  sums: [
    sumOf('USDT', 'transferIn', 500n),
    sumOf('USDT', 'suspenseCredit', 40n),
    sumOf('USDT', 'upLevelByBalance', -30n),
    sumOf('USDT', 'promotionReward', 10n),
    sumOf('USDT', 'transferOut', -200n, 1n),
    sumOf('BTN', 'airdropForActive', 60n),
    sumOf('BTN', 'createPledge', -20n),
    sumOf('BTN', 'pledgeReturn', 100n),
  ],
  promotionsOnline: 70n,
  balances: { ...nothing, USDT: balancesOf('USDT', 319n), BTN: balancesOf('BTN', 140n) },
}

describe('a statement', () => {
  const [usdt, btn] = computeAccounts(history)

  it('separates what was paid in, also on the chain for an order, from what was received', () => {
    expect(usdt?.paidIn).toEqual({
      deposits: 540n,
      beforeRegistering: 40n,
      undone: 0n,
      promotionsOnline: 70n,
      pledgesOnline: 0n,
    })
    expect(usdt?.received.get('promotionReward')).toBe(10n)
    expect(usdt?.spent).toEqual({ promotionsFromBalance: 30n, promotionsOnline: 70n, transferFees: 1n, undone: 0n })
    expect(usdt).toMatchObject({ takenOut: 200n, held: 319n })
  })

  it('counts pledged and returned BTN as neither in nor out, but counts what was paid online for it', () => {
    expect(btn).toMatchObject({ pledged: 100n, returned: 100n, held: 140n, takenOut: 0n })
    expect(btn?.spent).toEqual({ promotionsFromBalance: 0n, promotionsOnline: 0n, transferFees: 0n, undone: 0n })
    expect(btn?.paidIn).toMatchObject({ deposits: 0n, pledgesOnline: 80n })
  })

  it('fails if it does not add up to the balances', () => {
    const balances = { ...history.balances, USDT: balancesOf('USDT', 320n) }
    expect(() => computeAccounts({ ...history, balances })).toThrow('does not add up')
  })

  it('counts what is still pledged as held and as pledged', () => {
    const balances = { ...history.balances, BTN: balancesOf('BTN', 140n, 30n) }
    const [, still] = computeAccounts({ ...history, balances })
    expect(still).toMatchObject({ pledged: 130n, returned: 100n, held: 170n })
    expect(still?.paidIn.pledgesOnline).toBe(110n)
  })

  it('compares the amount taken out and held with the amount paid in', () => {
    const { accounts } = formatStatement(
      [...computeAccounts(history)],
      history.balances,
      { BTN: null, BTC: null },
      decimals,
    )
    // In smallest units: 200 + 319 against 610; 0 + 140 against 80; nothing against nothing.
    expect(accounts.map(({ result }) => result)).toEqual([
      { takenOutAndHeld: '0.000519', than: 'less', difference: '0.000091' },
      { takenOutAndHeld: '0.00000000000000014', than: 'more', difference: '0.00000000000000006' },
      { takenOutAndHeld: '0', than: 'same', difference: '0' },
    ])
  })

  it('adds up assets with a price in USDT, and names those without one', () => {
    const price = { price: '0.5', at, source: '0xfeed' }
    const sums = [
      sumOf('USDT', 'transferIn', 3_000_000n),
      sumOf('BTN', 'transferIn', 10n ** 18n),
      sumOf('BTC', 'pointReward', 5n),
    ]
    const balances = {
      USDT: balancesOf('USDT', 3_000_000n),
      BTN: balancesOf('BTN', 10n ** 18n),
      BTC: balancesOf('BTC', 5n),
    }
    const accounts = computeAccounts({ sums, promotionsOnline: 0n, balances })
    const { total } = formatStatement(accounts, balances, { BTN: price, BTC: null }, decimals)
    expect(total).toEqual({
      paidIn: '3.5',
      received: '0',
      spent: '0',
      takenOut: '0',
      held: '3.5',
      without: ['BTC'],
      result: { takenOutAndHeld: '3.5', than: 'same', difference: '0' },
    })
  })

  it('names no asset as left out if there is no history', () => {
    const accounts = computeAccounts({ sums: [], promotionsOnline: 0n, balances: nothing })
    expect(formatStatement(accounts, nothing, { BTN: null, BTC: null }, decimals).total).toMatchObject({
      held: '0',
      without: [],
      result: { than: 'same', difference: '0' },
    })
  })
})

describe('the total in cents', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 22n })
  const figures = fc.tuple(amount, amount, amount, amount, fc.integer({ min: 0, max: 20 })).map(
    // Everything spent and taken out was paid in or received before.
    ([spent, takenOut, held, part, places]) => {
      const all = spent + takenOut + held
      const paidIn = part % (all + 1n)
      const of = (value: bigint) => ({ value, places })
      return {
        paidIn: of(paidIn),
        received: of(all - paidIn),
        spent: of(spent),
        takenOut: of(takenOut),
        held: of(held),
      }
    },
  )

  it('adds up, and each figure differs from the exact one by less than a cent', () => {
    fc.assert(
      fc.property(fc.array(figures, { maxLength: 3 }), (valued) => {
        const { paidIn, received, spent, takenOut, held } = roundToCents(valued)
        expect(paidIn + received - spent - takenOut).toBe(held)
        for (const [name, cents] of Object.entries({ paidIn, received, spent, takenOut, held })) {
          const exact = valued.reduce((sum, one) => {
            const { value, places } = one[name as keyof typeof one]
            return sum + value * 10n ** BigInt(30 - places)
          }, 0n)
          const off = cents * 10n ** 28n - exact
          expect(off < 10n ** 28n && off > -(10n ** 28n)).toBe(true)
          expect(cents >= 0n).toBe(true)
        }
      }),
    )
  })

  it('rounds down what is held, as the wallet does', () => {
    const of = (value: bigint) => ({ value, places: 3 })
    const cents = roundToCents([
      { paidIn: of(10_008n), received: of(6n), spent: of(1_009n), takenOut: of(1_007n), held: of(7_998n) },
    ])
    expect(cents).toEqual({ paidIn: 1_000n, received: 0n, spent: 101n, takenOut: 100n, held: 799n })
  })
})

describe('a statement of a period', () => {
  const online = { promotions: 0n, pledges: 0n }
  /** The false credit of 300 was before the period, or in it. */
  const falseCredit = sumOf('USDT', 'transferIn', 300n)
  const within = [sumOf('USDT', 'transferIn', 500n), sumOf('USDT', 'reversal', -300n)]
  const periodOf = (before: MemberSum[], sums: MemberSum[]) =>
    computePeriod({
      sums: { before, within: sums, after: [] },
      online: { before: online, within: online, after: online },
      balances: { ...nothing, USDT: balancesOf('USDT', 500n) },
    })[0]

  it('shows real deposits completely, although a false credit of an earlier month was undone in it', () => {
    const usdt = periodOf([falseCredit], within)
    expect(usdt?.paidIn).toMatchObject({ deposits: 500n, undone: 0n })
    expect(usdt?.spent.undone).toBe(300n)
    expect(usdt).toMatchObject({ opening: 300n, closing: 500n })
  })

  it('shows a false credit and its undoing separately, if both were in it', () => {
    const usdt = periodOf([], [sumOf('USDT', 'transferIn', 800n), sumOf('USDT', 'reversal', -300n)])
    expect(usdt?.paidIn).toMatchObject({ deposits: 800n, undone: 0n })
    expect(usdt?.spent.undone).toBe(300n)
    expect(usdt).toMatchObject({ opening: 0n, closing: 500n })
  })
})
