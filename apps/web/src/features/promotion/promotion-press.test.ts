import { describe, expect, it } from 'vitest'
import { hasArrived, isSamePress } from './promotion-press.ts'
import type { PromotionOrder } from './use-promotion-overview.ts'

const press = { planVersion: 1, level: 2 }

describe('a press for a promotion', () => {
  it('counts as the same press only if all its terms are equal', () => {
    expect(isSamePress(press, { ...press })).toBe(true)
    for (const other of [{ planVersion: 2 }, { level: 3 }])
      expect(isSamePress(press, { ...press, ...other })).toBe(false)
  })

  it('has arrived if its order is open or the member holds its level', () => {
    const open = { level: 2 } as PromotionOrder
    expect(hasArrived(press, { level: 1, open })).toBe(true)
    expect(hasArrived(press, { level: 2, open: null })).toBe(true)
    expect(hasArrived(press, { level: 1, open: null })).toBe(false)
  })
})
