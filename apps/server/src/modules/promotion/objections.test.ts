import { expect, it } from 'vitest'
import { objectionTo, type Situation } from './objections.ts'

const asked = { planVersion: 1, level: 2, balancePart: 200n }
const good: Situation = {
  plan: { version: 1, price: 200n },
  level: 1,
  hasOpenOrder: false,
  available: 200n,
  paidOnline: true,
}

it('an order for the next level that can be paid meets no objection', () => {
  expect(objectionTo(asked, good)).toBeNull()
})

it('one that is paid from the balance alone needs nobody to take our quotes', () => {
  expect(objectionTo(asked, { ...good, paidOnline: false })).toBeNull()
})

it.each([
  ['plan-none', asked, { plan: null }],
  ['plan-changed', asked, { plan: { version: 2, price: 200n } }],
  ['order-open', asked, { hasOpenOrder: true }],
  ['level-not-next', asked, { level: 2 }],
  ['level-not-next', { ...asked, level: 3 }, { plan: { version: 1, price: 400n } }],
  ['level-not-next', asked, { plan: { version: 1, price: null } }],
  ['balance-part-range', { ...asked, balancePart: 201n }, { available: 500n }],
  ['payments-unavailable', { ...asked, balancePart: 199n }, { paidOnline: false, available: 0n }],
  ['balance-insufficient', asked, { available: 199n }],
] as const)('%s', (objection, order, also) => {
  expect(objectionTo(order, { ...good, ...also })).toBe(objection)
})

it('of several the first is told', () => {
  const bad: Situation = {
    plan: { version: 2, price: null },
    level: 7,
    hasOpenOrder: true,
    available: 0n,
    paidOnline: false,
  }
  expect(objectionTo({ ...asked, balancePart: 999n }, bad)).toBe('plan-changed')
  expect(objectionTo({ ...asked, planVersion: 2, balancePart: 999n }, bad)).toBe('order-open')
})
