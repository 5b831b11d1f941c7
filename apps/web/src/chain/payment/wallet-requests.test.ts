import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderIntent } from './testing/example.ts'
import { listRequests, predictFailure, type Survey } from './wallet-requests.ts'

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
type PayAttempt = { permit: number | null; lapsed: boolean }

/**
 * A model of the vault: how often it takes 100 units. A valid permit sets the allowance and uses up its nonce; an
 * invalid one is ignored.
 */
function countPayments(allowance: bigint, tries: readonly PayAttempt[]): number {
  let [left, nextNonce, payments] = [allowance, 0, 0]
  for (const { permit: signed, lapsed } of tries) {
    if (signed === nextNonce && !lapsed) [left, nextNonce] = [100n, nextNonce + 1]
    if (left < 100n) continue
    left -= 100n
    payments += 1
  }
  return payments
}

describe('the list of requests to the wallet', () => {
  it('is an exact approval and the payment for a token without permits', () => {
    expect(listRequests(survey, 100n, first)).toEqual(['approve', 'pay'])
  })

  it('is one signature and the payment for a token with permits', () => {
    expect(listRequests({ ...survey, permit }, 100n, first)).toEqual(['permit', 'pay'])
  })

  it('has an approval if the wallet cannot sign permits', () => {
    expect(listRequests({ ...survey, permit }, 100n, { ...first, permits: false })).toEqual(['approve', 'pay'])
  })

  it('begins with a reset if the token refuses to change its allowance', () => {
    expect(listRequests({ ...survey, allowance: 5n, resetFirst: true }, 100n, first)).toEqual([
      'reset',
      'approve',
      'pay',
    ])
    expect(listRequests({ ...survey, allowance: 5n }, 100n, first)).toEqual(['approve', 'pay'])
  })

  it('is the payment alone if the allowance is large enough', () => {
    expect(listRequests({ ...survey, allowance: 100n, permit }, 100n, first)).toEqual(['pay'])
    expect(listRequests({ ...survey, allowance: 300n }, 100n, first)).toEqual(['pay'])
  })

  it('leaves an allowance for one payment only if an earlier payment may still arrive', () => {
    const again = { repeated: true, permits: true }
    expect(listRequests({ ...survey, allowance: 100n }, 100n, again)).toEqual(['pay'])
    expect(listRequests({ ...survey, allowance: 300n }, 100n, again)).toEqual(['approve', 'pay'])
  })

  it('resets the allowance before a second permit: otherwise both payments could succeed', () => {
    const again = { repeated: true, permits: true }
    for (const allowance of [100n, 300n])
      expect(listRequests({ ...survey, permit, allowance }, 100n, again)).toEqual(['reset', 'permit', 'pay'])
    expect(listRequests({ ...survey, permit, allowance: 99n }, 100n, again)).toEqual(['permit', 'pay'])
    expect(listRequests({ ...survey, permit, allowance: 300n }, 100n, { repeated: true, permits: false })).toEqual([
      'approve',
      'pay',
    ])
  })

  it('never lets two payments succeed, in either order and for any first payment', () => {
    const amounts = fc.bigInt(0n, 300n)
    fc.assert(
      fc.property(amounts, fc.boolean(), fc.boolean(), fc.boolean(), (allowance, hasPermit, byPermit, lapsed) => {
        const token = { allowance, permit: hasPermit ? permit : null }
        const requests = listRequests({ ...survey, ...token }, 100n, { repeated: true, permits: true })
        const first: PayAttempt = hasPermit && byPermit ? { permit: 0, lapsed } : { permit: null, lapsed: false }
        const second: PayAttempt = { permit: requests.includes('permit') ? 0 : null, lapsed: false }
        const left = requests.includes('reset') ? 0n : allowance
        const before = requests.includes('approve') ? 100n : left
        expect(countPayments(before, [first, second])).toBeLessThanOrEqual(1)
        expect(countPayments(before, [second, first])).toBe(1)
      }),
    )
  })

  it('always ends with the payment and has each request at most once', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 300n),
        fc.bigInt(1n, 300n),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (allowance, units, resetFirst, hasPermit, repeated, permits) => {
          const requests = listRequests(
            { ...survey, allowance, resetFirst, permit: hasPermit ? permit : null },
            units,
            {
              repeated,
              permits,
            },
          )
          expect(requests.at(-1)).toBe('pay')
          expect(new Set(requests).size).toBe(requests.length)
        },
      ),
    )
  })
})

describe('a payment that would fail', () => {
  it('is reported before the wallet opens', () => {
    const of = (units: bigint) => ({ units, purpose: { kind: 'deposit' } as const })
    expect(predictFailure(survey, of(500n))).toBeNull()
    expect(predictFailure(survey, of(501n))).toBe('balance')
    expect(predictFailure({ ...survey, vaultPaused: true }, of(1n))).toBe('vault-paused')
  })

  it('is reported for an order after its deadline, and not at the deadline', () => {
    const paying = { units: 500n, purpose: orderIntent.purpose }
    const { deadline } = orderIntent.purpose
    expect(predictFailure({ ...survey, chainTime: deadline }, paying)).toBeNull()
    expect(predictFailure({ ...survey, chainTime: deadline + 1 }, paying)).toBe('late')
  })
})
