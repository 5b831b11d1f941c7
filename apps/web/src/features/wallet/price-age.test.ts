import { describe, expect, it } from 'vitest'
import type { WalletAsset } from '../assets/index.ts'
import { OLD_PRICE_MS, oldPriceDays } from './price-age.ts'

const at = '2026-11-16T12:00:00.000Z'
const ago = (ms: number): string => new Date(Date.parse(at) - ms).toISOString()

function item(symbol: WalletAsset['symbol'], balance: string, priceAge: number | null): WalletAsset {
  const source = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  return {
    symbol,
    balance,
    freeze: '0',
    freezeParts: { out: '0', order: '0', pledged: '0' },
    incoming: '0',
    price: priceAge === null ? null : { price: '2', at: ago(priceAge), source },
    values: '1',
    quota: null,
    lastChangeAt: null,
  }
}

describe('the age of prices', () => {
  it('is shown only for prices that are older than a day', () => {
    expect(oldPriceDays({ at, items: [item('BTC', '1', OLD_PRICE_MS)] })).toBeNull()
    expect(oldPriceDays({ at, items: [item('BTC', '1', OLD_PRICE_MS + 1)] })).toBe(1)
  })

  it('is that of the oldest price, in whole days', () => {
    const items = [item('USDT', '5', null), item('BTN', '1', 4.9 * OLD_PRICE_MS), item('BTC', '1', OLD_PRICE_MS / 2)]
    expect(oldPriceDays({ at, items })).toBe(4)
  })

  it('counts the assets that the member holds, also frozen ones, or the given symbols', () => {
    const old = item('BTC', '0', 4 * OLD_PRICE_MS)
    expect(oldPriceDays({ at, items: [old] })).toBeNull()
    expect(oldPriceDays({ at, items: [{ ...old, freeze: '0.5' }] })).toBe(4)
    expect(oldPriceDays({ at, items: [old] }, ['BTC'])).toBe(4)
    expect(oldPriceDays({ at, items: [old] }, ['BTN'])).toBeNull()
  })

  it('is not shown if there is no price, or if its time is in the future', () => {
    expect(oldPriceDays({ at, items: [item('BTC', '1', null), item('BTN', '1', -5_000)] })).toBeNull()
  })
})
