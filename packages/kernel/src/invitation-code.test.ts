import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CROCKFORD_ALPHABET } from './crockford.ts'
import { INVITATION_CODE_LENGTH, makeInvitationCode, parseInvitationCode } from './invitation-code.ts'

const anyCode = fc.uint8Array({ minLength: 7, maxLength: 7 }).map(makeInvitationCode)
const anyPlace = fc.integer({ min: 0, max: INVITATION_CODE_LENGTH - 1 })

describe('an invitation code', () => {
  it('has eight characters and is parsed unchanged', () => {
    fc.assert(
      fc.property(anyCode, (code) => {
        expect(code).toHaveLength(INVITATION_CODE_LENGTH)
        expect(parseInvitationCode(code)).toEqual({ ok: true, value: code })
      }),
    )
  })

  it('may be typed in any case, with dashes, spaces and letters that look like digits', () => {
    fc.assert(
      fc.property(anyCode, (code) => {
        const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `.replaceAll('0', 'o').replaceAll('1', 'l')
        expect(parseInvitationCode(typed)).toEqual({ ok: true, value: code })
      }),
    )
  })

  it('is refused if any single character is wrong', () => {
    for (const code of fc.sample(anyCode, 20)) {
      for (let place = 0; place < code.length; place += 1) {
        for (const wrong of CROCKFORD_ALPHABET.replace(code.charAt(place), '')) {
          const typo = code.slice(0, place) + wrong + code.slice(place + 1)
          expect(parseInvitationCode(typo).ok, `${typo} for ${code}`).toBe(false)
        }
      }
    }
  })

  it('is refused if any two characters are swapped', () => {
    fc.assert(
      fc.property(anyCode, anyPlace, anyPlace, (code, first, second) => {
        const characters = Array.from(code)
        ;[characters[first], characters[second]] = [characters[second] ?? '', characters[first] ?? '']
        const swapped = characters.join('')
        return swapped === code || !parseInvitationCode(swapped).ok
      }),
      { numRuns: 1_000 },
    )
  })

  it.each(['', '7QK2M9X', '7QK2M9X44', 'UUUUUUUU', '７QK2M9X4', '7QK2M9X*', '0000000\u0000'])('is not %j', (text) => {
    expect(parseInvitationCode(text).ok).toBe(false)
  })
})
