import { describe, expect, it } from 'vitest'
import { objectionTo, type Situation } from './objections.ts'

const [own, other] = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
] as const
const fine: Situation = {
  plan: { version: 3, min: 10n, max: 1_000n, fee: 5n },
  address: own,
  available: 500n,
  quotaLeft: 400n,
}
const asked = (amount: bigint) => ({ planVersion: 3, address: own, amount })

describe('what is said against a transfer', () => {
  it('is nothing, up to the smallest of what the plan, the balance and the quota allow', () => {
    expect(objectionTo(asked(10n), fine)).toBeNull()
    expect(objectionTo(asked(400n), fine)).toBeNull()
    expect(objectionTo(asked(495n), { ...fine, quotaLeft: 1_000n })).toBeNull()
    expect(objectionTo(asked(1_000n), { ...fine, available: 1_005n, quotaLeft: 1_000n })).toBeNull()
  })

  it('is the first of what there is, one unit beyond it', () => {
    expect(objectionTo(asked(9n), fine)).toBe('amount-range')
    expect(objectionTo(asked(1_001n), fine)).toBe('amount-range')
    expect(objectionTo(asked(496n), { ...fine, quotaLeft: 1_000n })).toBe('balance-insufficient')
    expect(objectionTo(asked(401n), fine)).toBe('quota-insufficient')
  })

  it('begins with what the member was shown', () => {
    const nothing = { ...fine, available: 0n, quotaLeft: 0n }
    expect(objectionTo(asked(1n), { ...nothing, plan: null })).toBe('plan-none')
    expect(objectionTo({ ...asked(1n), planVersion: 2, address: other }, nothing)).toBe('plan-changed')
    expect(objectionTo({ ...asked(1n), address: other }, nothing)).toBe('output-address-changed')
    expect(objectionTo(asked(1n), nothing)).toBe('amount-range')
    expect(objectionTo(asked(10n), nothing)).toBe('balance-insufficient')
  })
})
