import { CROCKFORD_ALPHABET, crockfordFromBytes, normalizeCrockford } from './crockford.ts'
import { ok, type Result, refused } from './result.ts'

declare const codeBrand: unique symbol

/** Seven random characters and a check character, as in `7QK2M9X4`. */
export type InvitationCode = string & { readonly [codeBrand]: true }

export const INVITATION_CODE_LENGTH = 8
const CODE_PATTERN = new RegExp(`^[${CROCKFORD_ALPHABET}]{${INVITATION_CODE_LENGTH}}$`)

/**
 * The check character makes the weighted sum of all eight characters zero in the field of 32 elements. The weights are
 * eight different powers of 2:
 *
 *     2⁷·c₀ + 2⁶·c₁ + … + 2·c₆ + 1·c₇ = 0        (addition is XOR; multiplication modulo x⁵ + x² + 1)
 *
 * One wrong character changes the sum by a non-zero product. Two swapped characters change it by (wᵢ − wⱼ)(cᵢ − cⱼ),
 * which is also non-zero. So every single typo and every swap is detected before any call. Luhn's formula misses some
 * swaps, and Crockford's own check needs five more symbols.
 */
function double(element: number): number {
  const shifted = element << 1
  return shifted & 32 ? shifted ^ 0b100101 : shifted
}

/** Horner's rule: each step doubles the sum so far, so earlier characters get the higher powers. */
const weightedSum = (characters: string): number =>
  Array.from(characters).reduce((sum, character) => double(sum) ^ CROCKFORD_ALPHABET.indexOf(character), 0)

export function makeInvitationCode(random: Uint8Array): InvitationCode {
  if (random.length !== INVITATION_CODE_LENGTH - 1) throw new RangeError('An invitation code is made from seven bytes')
  const payload = crockfordFromBytes(random)
  return `${payload}${CROCKFORD_ALPHABET.charAt(double(weightedSum(payload)))}` as InvitationCode
}

export function parseInvitationCode(text: string): Result<InvitationCode, 'invite-format'> {
  const code = normalizeCrockford(text)
  return CODE_PATTERN.test(code) && weightedSum(code) === 0 ? ok(code as InvitationCode) : refused('invite-format')
}
