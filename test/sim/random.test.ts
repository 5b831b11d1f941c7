import { describe, expect, it } from 'vitest'
import { Random } from './random.ts'

const draws = (...labels: (string | number)[]): number[] => {
  const random = new Random(...labels)
  return Array.from({ length: 20 }, () => random.between(0, 1_000_000))
}

describe('the random source', () => {
  it('draws the same values for the same seed, and others for another seed', () => {
    expect(draws(7, 'step', 3)).toEqual(draws(7, 'step', 3))
    expect(draws(7, 'step', 3)).not.toEqual(draws(7, 'step', 4))
    expect(draws(7, 'step', 3)).not.toEqual(draws(8, 'step', 3))
  })

  it('draws in proportion to the weights', () => {
    const random = new Random('weights')
    const list = [{ weight: 1 }, { weight: 3 }]
    const heavy = Array.from({ length: 4_000 }, () => random.pickWeighted(list)).filter(({ weight }) => weight === 3)
    expect(heavy.length).toBeGreaterThan(2_800)
    expect(heavy.length).toBeLessThan(3_200)
  })

  it('shuffles without losing anything', () => {
    const list = [1, 2, 3, 4, 5, 6]
    expect(new Random('shuffle').shuffled(list).sort()).toEqual(list)
  })
})
