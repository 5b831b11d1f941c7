import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

describe('canonical JSON', () => {
  it('writes equal values as the same text', () => {
    const value = { b: [1, { z: 'ß', a: true }], a: 'x\n"', c: undefined }
    expect(canonicalJson(value)).toBe('{"a":"x\\n\\"","b":[1,{"a":true,"z":"ß"}]}')
  })

  it('does not depend on the order of keys, and parses back to the same value', () => {
    const scalar = fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger(), fc.boolean())
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(scalar, fc.array(scalar))), (value) => {
        const backwards = Object.fromEntries(Object.entries(value).reverse())
        expect(canonicalJson(backwards)).toBe(canonicalJson(value))
        expect(JSON.parse(canonicalJson(value))).toEqual({ ...value })
      }),
    )
  })

  it('refuses a number that is not whole', () => {
    expect(() => canonicalJson({ amount: 0.1 })).toThrow('no whole number')
  })
})
