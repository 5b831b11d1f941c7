import { expect, it } from 'vitest'
import { findObjection, type Situation } from './objections.ts'

const asked = { planVersion: 1, level: 2, balancePart: 200n }
const good: Situation = {
  plan: { version: 1, price: 200n },
  level: 1,
  hasOpenOrder: false,
  available: 200n,
  onlineRefusal: null,
}

it('an order for the next level that can be paid meets no objection', () => {
  expect(findObjection(asked, good)).toBeNull()
})

it('an order paid from the balance alone can be made while the vault does not accept our quotes', () => {
  expect(findObjection(asked, { ...good, onlineRefusal: 'payments-unavailable' })).toBeNull()
})

it.each([
  ['plan-none', asked, { plan: null }],
  ['plan-changed', asked, { plan: { version: 2, price: 200n } }],
  ['order-open', asked, { hasOpenOrder: true }],
  ['level-not-next', asked, { level: 2 }],
  ['level-not-next', { ...asked, level: 3 }, { plan: { version: 1, price: 400n } }],
  ['level-not-next', asked, { plan: { version: 1, price: null } }],
  ['balance-part-range', { ...asked, balancePart: 201n }, { available: 500n }],
  ['payments-unavailable', { ...asked, balancePart: 199n }, { onlineRefusal: 'payments-unavailable', available: 0n }],
  ['vault-paused', { ...asked, balancePart: 199n }, { onlineRefusal: 'vault-paused', available: 0n }],
  ['balance-insufficient', asked, { available: 199n }],
] as const)('%s', (objection, order, also) => {
  expect(findObjection(order, { ...good, ...also })).toBe(objection)
})

it('of several objections the first is returned', () => {
  const bad: Situation = {
    plan: { version: 2, price: null },
    level: 7,
    hasOpenOrder: true,
    available: 0n,
    onlineRefusal: 'vault-paused',
  }
  expect(findObjection({ ...asked, balancePart: 999n }, bad)).toBe('plan-changed')
  expect(findObjection({ ...asked, planVersion: 2, balancePart: 999n }, bad)).toBe('order-open')
})
