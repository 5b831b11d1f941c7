import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findLookAlike } from './look-alike.ts'

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdefABCDEF'), { minLength: length, maxLength: length })
    .map((digits) => digits.join(''))

describe('a look-alike address', () => {
  it('has the same first and last four digits as a known address', () => {
    const known = '0x8A3f5C0b1d9E42F7aa61c0B8d5E4f3927160e21C'
    expect(findLookAlike('0x8a3f000000000000000000000000000000000e21c', [known])).toBe(known)
    expect(findLookAlike('0x8a3f00000000000000000000000000000000e21d', [known])).toBeNull()
    expect(findLookAlike('0x8b3f00000000000000000000000000000000e21c', [known])).toBeNull()
    expect(findLookAlike('0x8a3e00000000000000000000000000000000e21c', [known])).toBeNull()
    expect(findLookAlike('0x8a3f00000000000000000000000000000000f21c', [known])).toBeNull()
  })

  it('is never the known address itself, in upper or lower case', () => {
    fc.assert(
      fc.property(hex(40), fc.array(hex(40)), (digits, others) => {
        const known = [`0x${digits}`, ...others.map((other) => `0x${other}`)]
        expect(findLookAlike(`0x${digits.toUpperCase()}`, known)).toBeNull()
      }),
    )
  })

  it('is found whatever the digits between the ends are', () => {
    fc.assert(
      fc.property(hex(4), hex(4), hex(32), hex(32), (first, last, one, other) => {
        fc.pre(one.toLowerCase() !== other.toLowerCase())
        expect(findLookAlike(`0x${first}${one}${last}`, [`0x${first}${other}${last}`])).not.toBeNull()
      }),
    )
  })
})
