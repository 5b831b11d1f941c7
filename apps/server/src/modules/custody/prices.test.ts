import { describe, expect, it } from 'vitest'
import { isUsablePrice } from './prices.ts'

const now = new Date(1_000_000_000)
const round = { roundId: 7n, answer: 60_000n, updatedAt: 999_000n, answeredInRound: 7n }

describe('a round of a price feed', () => {
  it('is a price when it is complete, positive and of the past', () => {
    expect(isUsablePrice(round, now)).toBe(true)
  })

  it.each([
    ['zero', { answer: 0n }],
    ['negative', { answer: -1n }],
    ['not complete', { updatedAt: 0n }],
    ['answered in an earlier round', { answeredInRound: 6n }],
    ['of the future', { updatedAt: 1_000_001n }],
  ])('is not a price when it is %s', (_what, change) => {
    expect(isUsablePrice({ ...round, ...change }, now)).toBe(false)
  })
})
