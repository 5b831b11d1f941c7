import { type Asset, units } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import type { MemberBalances, MemberSum } from '../ledger/index.ts'
import { accountsOf, statementOf } from './statement.ts'

const decimals = { USDT: 6, BTN: 18, BTC: 8 }
const at = new Date('2026-11-15T06:00:00Z')
const none = { USDT: 0n, BTN: 0n, BTC: 0n }

const holding = <A extends Asset>(asset: A, available = 0n, pledged = 0n) => ({
  ...{ available: units(asset, available), frozenOut: units(asset, 0n), frozenOrder: units(asset, 0n) },
  ...{ pledged: units(asset, pledged), agentUnclaimed: units(asset, 0n) },
})
const nothing: MemberBalances = { USDT: holding('USDT'), BTN: holding('BTN'), BTC: holding('BTC') }

const posted = (asset: Asset, kind: MemberSum['kind'], type: MemberSum['type'], amount: bigint): MemberSum => ({
  asset,
  kind,
  type,
  amount,
})

const history = {
  sums: [
    posted('USDT', 'available', 'transferIn', 500n),
    posted('USDT', 'available', 'suspenseCredit', 40n),
    posted('USDT', 'available', 'upLevelByBalance', -30n),
    posted('USDT', 'frozenOrder', 'upLevelByBalance', 30n),
    posted('USDT', 'frozenOrder', 'upLevelByBalance', -30n),
    posted('USDT', 'available', 'promotionReward', 10n),
    posted('USDT', 'agentUnclaimed', null, 7n),
    posted('USDT', 'available', 'transferOut', -201n),
    posted('USDT', 'frozenOut', 'transferOut', 201n),
    posted('USDT', 'frozenOut', 'transferOut', -201n),
    posted('BTN', 'available', 'airdropForActive', 60n),
    posted('BTN', 'available', 'createPledge', -20n),
    posted('BTN', 'frozenOrder', 'createPledge', 20n),
    posted('BTN', 'frozenOrder', 'createPledge', -20n),
    posted('BTN', 'pledged', null, 100n),
    posted('BTN', 'pledged', null, -100n),
    posted('BTN', 'available', 'pledgeReturn', 100n),
  ],
  fees: { ...none, USDT: 1n },
  promotionsOnline: 70n,
  balances: { ...nothing, USDT: holding('USDT', 319n), BTN: holding('BTN', 140n) },
}

describe('a statement', () => {
  const [usdt, btn] = accountsOf(history)

  it('tells what was paid in, on the chain for an order too, apart from what was received', () => {
    expect(usdt?.paidIn).toEqual({
      deposits: 540n,
      beforeRegistering: 40n,
      promotionsOnline: 70n,
      pledgesOnline: 0n,
    })
    expect(usdt?.received.get('promotionReward')).toBe(10n)
    expect(usdt).toMatchObject({ promotions: 100n, transferredOut: 200n, fees: 1n, held: 319n })
  })

  it('counts what was pledged and came back neither as in nor as out, but what was paid online for it', () => {
    expect(btn).toMatchObject({ pledged: 100n, returned: 100n, held: 140n, transferredOut: 0n, promotions: 0n })
    expect(btn?.paidIn).toMatchObject({ deposits: 0n, pledgesOnline: 80n })
  })

  it('is not given where it does not add up to the balances', () => {
    const balances = { ...history.balances, USDT: holding('USDT', 320n) }
    expect(() => accountsOf({ ...history, balances })).toThrow('does not add up')
  })

  it('adds up in USDT what has a price, and names what has none', () => {
    const price = { price: '0.5', at, source: '0xfeed' }
    const sums = [
      posted('USDT', 'available', 'transferIn', 3_000_000n),
      posted('BTN', 'available', 'transferIn', 10n ** 18n),
      posted('BTC', 'available', 'pointReward', 5n),
    ]
    const balances = {
      ...{ USDT: holding('USDT', 3_000_000n), BTN: holding('BTN', 10n ** 18n), BTC: holding('BTC', 5n) },
    }
    const accounts = accountsOf({ sums, fees: none, promotionsOnline: 0n, balances })
    const { total } = statementOf(accounts, balances, { BTN: price, BTC: null }, decimals)
    expect(total).toEqual({
      ...{ paidIn: '3.5', received: '0', transferredOut: '0', held: '3.5', without: ['BTC'] },
      net: { direction: 'in', amount: '3.5' },
    })
  })

  it('leaves nothing out where nothing ever was', () => {
    const accounts = accountsOf({ sums: [], fees: none, promotionsOnline: 0n, balances: nothing })
    expect(statementOf(accounts, nothing, { BTN: null, BTC: null }, decimals).total).toMatchObject({
      ...{ held: '0', without: [], net: { direction: 'in', amount: '0' } },
    })
  })
})
