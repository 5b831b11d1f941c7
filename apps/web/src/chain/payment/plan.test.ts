import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestsFor, type Survey, wouldFail } from './plan.ts'
import { orderIntent } from './testing/example.ts'

const survey: Survey = {
  balance: 500n,
  allowance: 0n,
  resetFirst: false,
  permit: null,
  vaultPaused: false,
  ether: 1n,
  chainTime: 1_000,
}
const permit: Survey['permit'] = {
  nonce: 0n,
  domain: { name: 'BTN', version: '1', chainId: 1, verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
}
const first = { repeated: false, permits: true }

/** One attempt to pay: with a permit of this nonce, which may have expired, or without a permit. */
type Try = { permit: number | null; lapsed: boolean }

/**
 * A model of the vault: how often it takes 100 units. A valid permit sets the allowance and uses up its nonce; an
 * invalid one is ignored.
 */
function paid(allowance: bigint, tries: readonly Try[]): number {
  let [left, number, taken] = [allowance, 0, 0]
  for (const { permit: signed, lapsed } of tries) {
    if (signed === number && !lapsed) [left, number] = [100n, number + 1]
    if (left < 100n) continue
    left -= 100n
    taken += 1
  }
  return taken
}

describe('what the wallet is asked for', () => {
  it('is an exact approval and the payment, for a plain token', () => {
    expect(requestsFor(survey, 100n, first)).toEqual(['approve', 'pay'])
  })

  it('is one signature and one payment, for a token with permits', () => {
    expect(requestsFor({ ...survey, permit }, 100n, first)).toEqual(['permit', 'pay'])
  })

  it('is an approval after all, where the wallet cannot sign permits', () => {
    expect(requestsFor({ ...survey, permit }, 100n, { ...first, permits: false })).toEqual(['approve', 'pay'])
  })

  it('begins with taking back an allowance that the token does not let be changed', () => {
    expect(requestsFor({ ...survey, allowance: 5n, resetFirst: true }, 100n, first)).toEqual([
      'reset',
      'approve',
      'pay',
    ])
    expect(requestsFor({ ...survey, allowance: 5n }, 100n, first)).toEqual(['approve', 'pay'])
  })

  it('is the payment alone, where the allowance suffices', () => {
    expect(requestsFor({ ...survey, allowance: 100n, permit }, 100n, first)).toEqual(['pay'])
    expect(requestsFor({ ...survey, allowance: 300n }, 100n, first)).toEqual(['pay'])
  })

  it('leaves an allowance for one payment only, where an earlier one may still arrive', () => {
    const again = { repeated: true, permits: true }
    expect(requestsFor({ ...survey, allowance: 100n }, 100n, again)).toEqual(['pay'])
    expect(requestsFor({ ...survey, allowance: 300n }, 100n, again)).toEqual(['approve', 'pay'])
  })

  it('takes every allowance back before a permit for what may still arrive: one that renews it would pay twice', () => {
    const again = { repeated: true, permits: true }
    for (const allowance of [100n, 300n])
      expect(requestsFor({ ...survey, permit, allowance }, 100n, again)).toEqual(['reset', 'permit', 'pay'])
    expect(requestsFor({ ...survey, permit, allowance: 99n }, 100n, again)).toEqual(['permit', 'pay'])
    expect(requestsFor({ ...survey, permit, allowance: 300n }, 100n, { repeated: true, permits: false })).toEqual([
      'approve',
      'pay',
    ])
  })

  it('cannot be paid twice, whichever of the two comes first, and with whatever the first was', () => {
    const amounts = fc.bigInt(0n, 300n)
    fc.assert(
      fc.property(amounts, fc.boolean(), fc.boolean(), fc.boolean(), (allowance, hasPermit, byPermit, lapsed) => {
        const token = { allowance, permit: hasPermit ? permit : null }
        const requests = requestsFor({ ...survey, ...token }, 100n, { repeated: true, permits: true })
        const first: Try = hasPermit && byPermit ? { permit: 0, lapsed } : { permit: null, lapsed: false }
        const second: Try = { permit: requests.includes('permit') ? 0 : null, lapsed: false }
        const left = requests.includes('reset') ? 0n : allowance
        const before = requests.includes('approve') ? 100n : left
        expect(paid(before, [first, second])).toBeLessThanOrEqual(1)
        expect(paid(before, [second, first])).toBe(1)
      }),
    )
  })

  it('always ends with one payment, and has at most one of each', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 300n),
        fc.bigInt(1n, 300n),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (allowance, units, resetFirst, hasPermit, repeated, permits) => {
          const requests = requestsFor({ ...survey, allowance, resetFirst, permit: hasPermit ? permit : null }, units, {
            repeated,
            permits,
          })
          expect(requests.at(-1)).toBe('pay')
          expect(new Set(requests).size).toBe(requests.length)
        },
      ),
    )
  })
})

describe('what would be for nothing', () => {
  it('is told before the wallet opens', () => {
    const of = (units: bigint) => ({ units, purpose: { kind: 'deposit' } as const })
    expect(wouldFail(survey, of(500n))).toBeNull()
    expect(wouldFail(survey, of(501n))).toBe('balance')
    expect(wouldFail({ ...survey, vaultPaused: true }, of(1n))).toBe('vault-paused')
  })

  it('is told of an order as soon as the chain is past its deadline, and not at it', () => {
    const paying = { units: 500n, purpose: orderIntent.purpose }
    const { deadline } = orderIntent.purpose
    expect(wouldFail({ ...survey, chainTime: deadline }, paying)).toBeNull()
    expect(wouldFail({ ...survey, chainTime: deadline + 1 }, paying)).toBe('late')
  })
})
