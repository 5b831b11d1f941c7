import { assets } from '@lode/kernel'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { accountNumber, accountRange, readAccountNumber } from './account-number.ts'
import { type KindName, kinds } from './chart.ts'

const owners = fc.bigInt({ min: -(2n ** 48n), max: 2n ** 48n })
const kindNames = fc.constantFrom(...(Object.keys(kinds) as KindName[]))

it('an account number encodes the owner, the kind, the asset and the stripe', () => {
  fc.assert(
    fc.property(owners, kindNames, fc.constantFrom(...assets), fc.nat(63), (owner, kind, asset, stripe) => {
      const number = accountNumber(owner, kind, asset) + BigInt(stripe)
      expect(readAccountNumber(number)).toEqual({ owner, kind, asset, stripe })
      const [first, end] = accountRange(owner)
      expect(first <= number && number < end).toBe(true)
      expect(end).toBe(accountRange(owner + 1n)[0])
    }),
  )
})

it('an account number fits a PostgreSQL bigint for any number of members', () => {
  expect(accountNumber(2n ** 48n, 'suspense:returning', 'BTC')).toBeLessThan(2n ** 63n)
})
