import { describe, expect, it } from 'vitest'
import { differences } from './differences.ts'

describe('what changed between two versions', () => {
  const before = { levels: [{ price: '100', power: 2 }], closeHour: 12 }

  it('is nothing where both say the same, in whatever order', () => {
    expect(differences(before, { closeHour: 12, levels: [{ power: 2, price: '100' }] })).toEqual([])
  })

  it('is told value by value, with its path', () => {
    expect(differences(before, { levels: [{ price: '120', power: 2 }], closeHour: 0 })).toEqual([
      { path: 'levels.0.price', before: '100', after: '120' },
      { path: 'closeHour', before: '12', after: '0' },
    ])
  })

  it('has nothing on one side of what was added or taken away', () => {
    const longer = { ...before, levels: [...before.levels, { price: '200', power: 4 }] }
    const added = [
      { path: 'levels.1.price', before: null, after: '200' },
      { path: 'levels.1.power', before: null, after: '4' },
    ]
    expect(differences(before, longer)).toEqual(added)
    expect(differences(longer, before)).toEqual(added.map(({ path, after }) => ({ path, before: after, after: null })))
  })
})
