import { expect, it } from 'vitest'
import { findObjection } from './objections.ts'

const asked = { planVersion: 2, quantity: 10_001n, termDays: 30, balancePart: 10_001n }
const plan = { version: 2, pledgeAbove: 10_000n, pledgeTerms: [{ days: 30 }, { days: 90 }] }
const situation = { plan, amount: 10_001n, hasOpenOrder: false, available: 10_001n, onlineRefusal: null }

it('the objections to a pledge come in a fixed order', () => {
  expect(findObjection(asked, situation)).toBeNull()
  const everything = {
    plan: null,
    amount: 10_000n,
    hasOpenOrder: true,
    available: 0n,
    onlineRefusal: 'vault-paused' as const,
  }
  const wrong = { planVersion: 1, quantity: 10_000n, termDays: 31, balancePart: 10_002n }
  expect(findObjection(wrong, everything)).toBe('plan-none')
  expect(findObjection(wrong, { ...everything, plan })).toBe('plan-changed')
  expect(findObjection({ ...wrong, planVersion: 2 }, { ...everything, plan })).toBe('order-open')
  expect(findObjection({ ...wrong, planVersion: 2 }, { ...everything, plan, hasOpenOrder: false })).toBe(
    'pledge-minimum',
  )
  expect(findObjection({ ...asked, termDays: 31 }, situation)).toBe('pledge-term')
  expect(findObjection({ ...asked, balancePart: 10_002n }, situation)).toBe('balance-part-range')
  for (const onlineRefusal of ['payments-unavailable', 'vault-paused'] as const) {
    const unpayable = { ...situation, available: 0n, onlineRefusal }
    expect(findObjection({ ...asked, balancePart: 10_000n }, unpayable)).toBe(onlineRefusal)
    expect(findObjection(asked, { ...situation, onlineRefusal })).toBeNull()
  }
  expect(findObjection(asked, { ...situation, available: 10_000n })).toBe('balance-insufficient')
})
