import { describe, expect, it } from 'vitest'
import { OLD_PRICE_MS, oldPriceDays } from './price-age.ts'
import type { Item } from './use-assets.ts'

const at = '2026-11-16T12:00:00.000Z'
const ago = (ms: number): string => new Date(Date.parse(at) - ms).toISOString()

function item(symbol: Item['symbol'], balance: string, priceAge: number | null): Item {
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
  it('is not told up to a day, and is from the first millisecond after it', () => {
    expect(oldPriceDays({ at, items: [item('BTC', '1', OLD_PRICE_MS)] })).toBeNull()
    expect(oldPriceDays({ at, items: [item('BTC', '1', OLD_PRICE_MS + 1)] })).toBe(1)
  })

  it('is that of the oldest price, in whole days', () => {
    const items = [item('USDT', '5', null), item('BTN', '1', 4.9 * OLD_PRICE_MS), item('BTC', '1', OLD_PRICE_MS / 2)]
    expect(oldPriceDays({ at, items })).toBe(4)
  })

  it('is of what is held, frozen too, or of the symbols that are asked for', () => {
    const old = item('BTC', '0', 4 * OLD_PRICE_MS)
    expect(oldPriceDays({ at, items: [old] })).toBeNull()
    expect(oldPriceDays({ at, items: [{ ...old, freeze: '0.5' }] })).toBe(4)
    expect(oldPriceDays({ at, items: [old] }, ['BTC'])).toBe(4)
    expect(oldPriceDays({ at, items: [old] }, ['BTN'])).toBeNull()
  })

  it('is unknown where there is no price, or one that seems to be of a later time', () => {
    expect(oldPriceDays({ at, items: [item('BTC', '1', null), item('BTN', '1', -5_000)] })).toBeNull()
  })
})
