import { describe, expect, it } from 'vitest'
import { splitByDifference } from './split-by-difference.ts'

describe('the comparison of two addresses', () => {
  it('marks the digits that differ, and not the equal ends', () => {
    expect(splitByDifference('0xAB12cd', '0xab99cd')).toEqual([
      { at: 0, text: '0xAB', differs: false },
      { at: 4, text: '12', differs: true },
      { at: 6, text: 'cd', differs: false },
    ])
  })

  it('treats a missing digit as different', () => {
    expect(splitByDifference('0x12', '0x1')).toEqual([
      { at: 0, text: '0x1', differs: false },
      { at: 3, text: '2', differs: true },
    ])
  })
})
