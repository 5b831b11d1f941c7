import { describe, expect, it } from 'vitest'
import { NumberSet } from './number-set.ts'

describe('a set of row numbers', () => {
  it('has exactly the numbers that were added, also far apart', () => {
    const set = new NumberSet()
    const added = [0n, 7n, 8n, 8_191n, 8_192n, 1_000_003n]
    for (const number of added) set.add(number)
    for (const number of added) {
      expect(set.has(number), String(number)).toBe(true)
      for (const other of [number - 1n, number + 1n])
        if (other >= 0n) expect(set.has(other), String(other)).toBe(added.includes(other))
    }
    expect(set.has(10n ** 12n)).toBe(false)
  })
})
