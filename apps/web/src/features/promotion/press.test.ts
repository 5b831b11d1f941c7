import { describe, expect, it } from 'vitest'
import { hasCome, isSamePress } from './press.ts'
import type { PromotionOrder } from './use-promotion.ts'

const press = { planVersion: 1, level: 2 }

describe('a press for a promotion', () => {
  it('is the same again with the same terms, and another with any other', () => {
    expect(isSamePress(press, { ...press })).toBe(true)
    for (const other of [{ planVersion: 2 }, { level: 3 }])
      expect(isSamePress(press, { ...press, ...other })).toBe(false)
  })

  it('has come where its order is open, or its level is held', () => {
    const open = { level: 2 } as PromotionOrder
    expect(hasCome(press, { level: 1, open })).toBe(true)
    expect(hasCome(press, { level: 2, open: null })).toBe(true)
    expect(hasCome(press, { level: 1, open: null })).toBe(false)
  })
})
