import { describe, expect, it } from 'vitest'
import { findDifferences } from './differences.ts'

describe('the differences between two versions', () => {
  const before = { levels: [{ price: '100', power: 2 }], closeHour: 12 }

  it('are none if both have the same values, in any order', () => {
    expect(findDifferences(before, { closeHour: 12, levels: [{ power: 2, price: '100' }] })).toEqual([])
  })

  it('are listed value by value, with their paths', () => {
    expect(findDifferences(before, { levels: [{ price: '120', power: 2 }], closeHour: 0 })).toEqual([
      { path: 'levels.0.price', before: '100', after: '120' },
      { path: 'closeHour', before: '12', after: '0' },
    ])
  })

  it('have null on one side for an added or removed value', () => {
    const longer = { ...before, levels: [...before.levels, { price: '200', power: 4 }] }
    const added = [
      { path: 'levels.1.price', before: null, after: '200' },
      { path: 'levels.1.power', before: null, after: '4' },
    ]
    expect(findDifferences(before, longer)).toEqual(added)
    expect(findDifferences(longer, before)).toEqual(
      added.map(({ path, after }) => ({ path, before: after, after: null })),
    )
  })
})
