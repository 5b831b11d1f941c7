import { expect, it } from 'vitest'
import { objectionTo } from './objections.ts'

const asked = { planVersion: 2, quantity: 10_001n, termDays: 30, balancePart: 10_001n }
const plan = { version: 2, pledgeAbove: 10_000n, pledgeTerms: [{ days: 30 }, { days: 90 }] }
const situation = { plan, amount: 10_001n, hasOpenOrder: false, available: 10_001n, paidOnline: true }

it('a pledge is objected to in the order in which members are told', () => {
  expect(objectionTo(asked, situation)).toBeNull()
  const everything = { plan: null, amount: 10_000n, hasOpenOrder: true, available: 0n, paidOnline: false }
  const wrong = { planVersion: 1, quantity: 10_000n, termDays: 31, balancePart: 10_002n }
  expect(objectionTo(wrong, everything)).toBe('plan-none')
  expect(objectionTo(wrong, { ...everything, plan })).toBe('plan-changed')
  expect(objectionTo({ ...wrong, planVersion: 2 }, { ...everything, plan })).toBe('order-open')
  expect(objectionTo({ ...wrong, planVersion: 2 }, { ...everything, plan, hasOpenOrder: false })).toBe('pledge-minimum')
  expect(objectionTo({ ...asked, termDays: 31 }, situation)).toBe('pledge-term')
  expect(objectionTo({ ...asked, balancePart: 10_002n }, situation)).toBe('balance-part-range')
  const unpayable = { ...situation, available: 0n, paidOnline: false }
  expect(objectionTo({ ...asked, balancePart: 10_000n }, unpayable)).toBe('payments-unavailable')
  expect(objectionTo(asked, { ...situation, paidOnline: false })).toBeNull()
  expect(objectionTo(asked, { ...situation, available: 10_000n })).toBe('balance-insufficient')
})
