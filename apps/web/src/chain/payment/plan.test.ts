import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestsFor, type Survey, wouldFail } from './plan.ts'

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
    expect(wouldFail(survey, 500n)).toBeNull()
    expect(wouldFail(survey, 501n)).toBe('balance')
    expect(wouldFail({ ...survey, vaultPaused: true }, 1n)).toBe('vault-paused')
  })
})
