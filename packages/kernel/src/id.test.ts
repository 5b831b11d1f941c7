import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeId } from './id.ts'

const tenBytes = fc.uint8Array({ minLength: 10, maxLength: 10 })

describe('an id', () => {
  it('is a version 7 UUID', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }),
        tenBytes,
        (time, random) => {
          expect(makeId(time, random)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        },
      ),
    )
  })

  it('sorts by the time at which it was made', () => {
    fc.assert(
      fc.property(
        fc.nat(2 ** 31),
        fc.integer({ min: 1, max: 2 ** 31 }),
        tenBytes,
        tenBytes,
        (start, later, one, other) => {
          expect(makeId(new Date(start), one) < makeId(new Date(start + later), other)).toBe(true)
        },
      ),
    )
  })
})
