import { describe, expect, it } from 'vitest'
import type { PledgeOrder } from '../production/index.ts'
import { isSamePress, orderOf, type PledgePress } from './press.ts'

const press: PledgePress = {
  key: 'a'.repeat(32),
  account: '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C',
  pressedAt: 1_000,
  planVersion: 1,
  quantity: '20000',
  termDays: 90,
  balancePart: '5000',
  shownAt: '2026-11-15T10:00:00.000Z',
}
const order = (changes: Partial<PledgeOrder> = {}) =>
  ({
    id: 'one',
    planVersion: 1,
    amount: '20000',
    termDays: 90,
    balancePart: '5000',
    createdAt: '2026-11-15T10:00:05.000Z',
    ...changes,
  }) as PledgeOrder

describe('a press for a pledge', () => {
  it('is the same again with the same terms, and another with any other', () => {
    expect(isSamePress(press, { ...press })).toBe(true)
    for (const other of [{ planVersion: 2 }, { quantity: '20001' }, { termDays: 30 }])
      expect(isSamePress(press, { ...press, ...other })).toBe(false)
  })

  it('made the first order of its terms that is not older than what the member was shown', () => {
    const later = order({ id: 'later', createdAt: '2026-11-15T11:00:00.000Z' })
    expect(orderOf(press, [later, order()])?.id).toBe('one')
    expect(orderOf(press, [order({ createdAt: '2026-11-15T09:59:59.000Z' })])).toBeUndefined()
    for (const other of [{ amount: '20001' }, { termDays: 30 }, { balancePart: '0' }, { planVersion: 2 }])
      expect(orderOf(press, [order(other)])).toBeUndefined()
  })
})
