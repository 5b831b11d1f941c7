import { describe, expect, it } from 'vitest'
import { findObjection, type TransferLimits } from './objections.ts'

const [own, other] = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
] as const
const limits: TransferLimits = {
  plan: { version: 3, min: 10n, max: 1_000n, fee: 5n },
  address: own,
  available: 500n,
  quotaLeft: 400n,
}
const terms = (amount: bigint) => ({ planVersion: 3, address: own, amount })

describe('the objection to a transfer', () => {
  it('is null up to the lowest limit of plan, balance and quota', () => {
    expect(findObjection(terms(10n), limits)).toBeNull()
    expect(findObjection(terms(400n), limits)).toBeNull()
    expect(findObjection(terms(495n), { ...limits, quotaLeft: 1_000n })).toBeNull()
    expect(findObjection(terms(1_000n), { ...limits, available: 1_005n, quotaLeft: 1_000n })).toBeNull()
  })

  it('names the limit that is exceeded by one unit', () => {
    expect(findObjection(terms(9n), limits)).toBe('amount-range')
    expect(findObjection(terms(1_001n), limits)).toBe('amount-range')
    expect(findObjection(terms(496n), { ...limits, quotaLeft: 1_000n })).toBe('balance-insufficient')
    expect(findObjection(terms(401n), limits)).toBe('quota-insufficient')
  })

  it('is first about the terms that the member was shown, and then about the limits', () => {
    const nothing = { ...limits, available: 0n, quotaLeft: 0n }
    expect(findObjection(terms(1n), { ...nothing, plan: null })).toBe('plan-none')
    expect(findObjection({ ...terms(1n), planVersion: 2, address: other }, nothing)).toBe('plan-changed')
    expect(findObjection({ ...terms(1n), address: other }, nothing)).toBe('output-address-changed')
    expect(findObjection(terms(1n), nothing)).toBe('amount-range')
    expect(findObjection(terms(10n), nothing)).toBe('balance-insufficient')
  })
})
