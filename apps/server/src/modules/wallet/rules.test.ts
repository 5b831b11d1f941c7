import { type Asset, units } from '@lode/kernel'
import { describe, expect, it } from 'vitest'
import { formatIncomingLine, formatPostedLine, formatWallet, type Holdings } from './rules.ts'

const decimals = { USDT: 6, BTN: 18, BTC: 8 }
const at = new Date('2026-11-15T06:00:00Z')
const tx = `0x${'ab'.repeat(32)}`

const balancesOf = <A extends Asset>(asset: A, available = 0n, frozenOut = 0n, frozenOrder = 0n, pledged = 0n) => ({
  available: units(asset, available),
  frozenOut: units(asset, frozenOut),
  frozenOrder: units(asset, frozenOrder),
  pledged: units(asset, pledged),
  agentUnclaimed: units(asset, 0n),
})

const nothing: Holdings = {
  balances: { USDT: balancesOf('USDT'), BTN: balancesOf('BTN'), BTC: balancesOf('BTC') },
  incoming: { USDT: 0n, BTN: 0n, BTC: 0n },
  lastChanges: { USDT: null, BTN: null, BTC: null },
  prices: { BTN: null, BTC: null },
  quotas: null,
}
const price = (text: string) => ({ price: text, at, source: '0xfeed' })

describe('the wallet of a member', () => {
  it('shows whole coins, by the decimals of each token', () => {
    const balances = { ...nothing.balances, USDT: balancesOf('USDT', 12_500_000n), BTC: balancesOf('BTC', 1n) }
    const { items } = formatWallet({ ...nothing, balances }, decimals)
    expect(items.map(({ symbol, balance }) => [symbol, balance])).toEqual([
      ['USDT', '12.5'],
      ['BTN', '0'],
      ['BTC', '0.00000001'],
    ])
    const elsewhere = formatWallet({ ...nothing, balances }, { ...decimals, USDT: 18 })
    expect(elsewhere.items[0]?.balance).toBe('0.0000000000125')
  })

  it('shows the frozen amount in parts, and their sum', () => {
    const balances = { ...nothing.balances, BTN: balancesOf('BTN', 5n, 10n, 200n, 3_000n) }
    const { items } = formatWallet({ ...nothing, balances }, { ...decimals, BTN: 0 })
    expect(items[1]).toMatchObject({
      balance: '5',
      freeze: '3210',
      freezeParts: { out: '10', order: '200', pledged: '3000' },
    })
  })

  it('values the available and the frozen amount, rounded down to the smallest unit of USDT', () => {
    const balances = { ...nothing.balances, BTC: balancesOf('BTC', 100_000_000n, 99_999_999n) }
    const prices = { ...nothing.prices, BTC: price('0.0000019999') }
    const { items, total } = formatWallet({ ...nothing, balances, prices }, decimals)
    expect(items[2]?.values).toBe('0.000003')
    expect(total).toEqual({ values: '0.000003', without: [] })
  })

  it('shows no value for an asset without a price, and names it in the total as left out', () => {
    const balances = {
      USDT: balancesOf('USDT', 3_000_000n),
      BTN: balancesOf('BTN', 0n, 0n, 0n, 1n),
      BTC: balancesOf('BTC', 1n),
    }
    const prices = { BTC: price('65000'), BTN: null }
    const { items, total } = formatWallet({ ...nothing, balances, prices }, decimals)
    expect(items[1]).toMatchObject({ price: null, values: null })
    expect(total).toEqual({ values: '3.00065', without: ['BTN'] })
  })

  it('names no asset as left out if nothing is held', () => {
    const { items, total } = formatWallet(nothing, decimals)
    expect(total).toEqual({ values: '0', without: [] })
    expect(items.map(({ values }) => values)).toEqual(['0', null, null])
  })

  it('shows no value if the price is too large for a valid amount', () => {
    const balances = { ...nothing.balances, BTC: balancesOf('BTC', 100_000_000n) }
    const prices = { ...nothing.prices, BTC: price(`1${'0'.repeat(38)}`) }
    expect(formatWallet({ ...nothing, balances, prices }, decimals).total).toEqual({ values: '0', without: ['BTC'] })
  })

  it('shows the remaining transfer quota if there is a plan', () => {
    const quota = <A extends Asset>(asset: A, left: bigint) => ({ left: units(asset, left), total: units(asset, 100n) })
    const quotas = { USDT: quota('USDT', 40n), BTN: quota('BTN', 0n), BTC: quota('BTC', 100n) }
    const { items } = formatWallet({ ...nothing, quotas }, { USDT: 0, BTN: 0, BTC: 0 })
    expect(items.map((item) => item.quota)).toEqual([
      { left: '40', total: '100' },
      { left: '0', total: '100' },
      { left: '100', total: '100' },
    ])
    expect(formatWallet(nothing, decimals).items[0]?.quota).toBeNull()
  })

  it('does not count incoming deposits that are not final', () => {
    const { items, total } = formatWallet({ ...nothing, incoming: { ...nothing.incoming, USDT: 7_000_000n } }, decimals)
    expect([items[0]?.balance, items[0]?.incoming, total.values]).toEqual(['0', '7', '0'])
  })
})

describe('a log line', () => {
  const line = {
    ...({ id: 9n, type: 'transferOut', status: 'confirming', amount: -2_500_000n, fee: 1_000_000n } as const),
    operation: 'order-7',
    at,
    endedAt: null,
  }

  it('has a direction and an amount without a sign', () => {
    expect(formatPostedLine(line, 'USDT', decimals)).toMatchObject({
      direction: 'out',
      amount: '2.5',
      fee: '1',
      tx: null,
      endedAt: null,
      at: '2026-11-15T06:00:00.000Z',
    })
  })

  it('of a paid transfer names the chain transaction that paid it', () => {
    expect(formatPostedLine(line, 'USDT', decimals, { paidBy: new Map([['order-7', tx]]) }).tx).toBe(tx)
  })

  it('of a deposit names its chain transaction, and has the same id before and after it is final', () => {
    const posted = formatPostedLine({ ...line, type: 'transferIn', amount: 1n, operation: `${tx}:4` }, 'USDT', decimals)
    const seen = formatIncomingLine({ tx, logIndex: 4, amount: 1n, seenAt: at }, 'USDT', decimals)
    expect([posted.tx, seen.tx]).toEqual([tx, tx])
    expect(posted.id).toBe(seen.id)
    expect(seen).toMatchObject({ type: 'transferIn', status: 'confirming', direction: 'in', amount: '0.000001' })
  })
})
