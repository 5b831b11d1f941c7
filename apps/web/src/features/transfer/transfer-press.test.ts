import { describe, expect, it } from 'vitest'
import { findOrder, isSamePress, parsePress, type TransferOrder, type TransferPress } from './transfer-press.ts'

const ACCOUNT = '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C'
const press: TransferPress = {
  key: 'a'.repeat(32),
  account: ACCOUNT,
  planVersion: 1,
  address: ACCOUNT,
  symbol: 'USDT',
  amount: '250',
  shownAt: '2026-11-15T12:00:00.000Z',
  pressedAt: 1_000_000,
}

const order = (more: Partial<TransferOrder> = {}): TransferOrder => ({
  id: '00000000-0000-4000-8000-000000000001',
  type: 2,
  status: 2,
  state: 'approved',
  symbol: 'USDT',
  amount: '250',
  fee: '1',
  address: ACCOUNT.toLowerCase(),
  own: true,
  planVersion: 1,
  requestedAt: '2026-11-15T12:00:05.000Z',
  holds: [],
  queue: null,
  cancellable: true,
  steps: [],
  tx: null,
  note: null,
  ...more,
})

describe('a press for a transfer', () => {
  it('is read from storage as it was stored, and rejected if its amount is invalid', () => {
    expect(parsePress(JSON.parse(JSON.stringify(press)))).toEqual(press)
    expect(parsePress({ ...press, amount: '-1' })).toBeNull()
  })

  it('counts as the same press only if all its terms are equal', () => {
    expect(isSamePress(press, { ...press, address: ACCOUNT.toLowerCase() })).toBe(true)
    for (const other of [
      { amount: '251' },
      { symbol: 'BTC' as const },
      { planVersion: 2 },
      { address: `0x${'1'.repeat(40)}` },
    ])
      expect(isSamePress(press, { ...press, ...other })).toBe(false)
  })

  it('is matched with an order of the pool’s list by its terms and its time', () => {
    const made = order()
    expect(findOrder(press, [order({ amount: '99' }), made])).toBe(made)
    expect(findOrder(press, [order({ requestedAt: '2026-11-15T11:59:59.999Z' })])).toBeUndefined()
    const later = order({ requestedAt: '2026-11-15T12:07:00.000Z' })
    expect(findOrder(press, [later, made])).toBe(made)
  })
})
