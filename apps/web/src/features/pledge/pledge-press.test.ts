import { describe, expect, it } from 'vitest'
import type { PledgeOrder } from '../production/index.ts'
import { findOrder, isSamePress, type PledgePress } from './pledge-press.ts'

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
  it('counts as the same press only if all its terms are equal', () => {
    expect(isSamePress(press, { ...press })).toBe(true)
    for (const other of [{ planVersion: 2 }, { quantity: '20001' }, { termDays: 30 }])
      expect(isSamePress(press, { ...press, ...other })).toBe(false)
  })

  it('created the oldest order with its terms that is not older than the terms on the screen', () => {
    const later = order({ id: 'later', createdAt: '2026-11-15T11:00:00.000Z' })
    expect(findOrder(press, [later, order()])?.id).toBe('one')
    expect(findOrder(press, [order({ createdAt: '2026-11-15T09:59:59.000Z' })])).toBeUndefined()
    for (const other of [{ amount: '20001' }, { termDays: 30 }, { balancePart: '0' }, { planVersion: 2 }])
      expect(findOrder(press, [order(other)])).toBeUndefined()
  })
})
