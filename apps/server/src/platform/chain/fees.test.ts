import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Fees, firstFees, higherFees, replacingFees } from './fees.ts'

describe('the fees', () => {
  const gwei = 10n ** 9n

  it('leave room for the base fee to double, within the limit', () => {
    expect(firstFees({ baseFee: 10n * gwei, priorityFee: gwei }, 100n * gwei)).toEqual({
      maxFee: 21n * gwei,
      maxPriorityFee: gwei,
    })
    expect(firstFees({ baseFee: 90n * gwei, priorityFee: gwei }, 100n * gwei)?.maxFee).toBe(100n * gwei)
    expect(firstFees({ baseFee: 100n * gwei, priorityFee: gwei }, 100n * gwei)).toBeNull()
  })

  it('begin with a tip of at most the base fee or two gwei, whatever a node suggests', () => {
    const tip = (baseFee: bigint, priorityFee: bigint) =>
      firstFees({ baseFee: baseFee * gwei, priorityFee: priorityFee * gwei }, 300n * gwei)?.maxPriorityFee
    expect(tip(1n, 1_000n)).toBe(2n * gwei)
    expect(tip(30n, 1_000n)).toBe(30n * gwei)
    expect(tip(30n, 3n)).toBe(3n * gwei)
    const first = { maxFee: 4n * gwei, maxPriorityFee: 2n * gwei }
    expect(higherFees(first, { baseFee: gwei, priorityFee: 25n * gwei }, 300n * gwei)?.maxPriorityFee).toBe(25n * gwei)
  })

  it('are never negative, although a node can answer with a negative number', () => {
    expect(firstFees({ baseFee: 10n * gwei, priorityFee: -gwei }, 100n * gwei)).toEqual({
      maxFee: 20n * gwei,
      maxPriorityFee: 0n,
    })
    expect(firstFees({ baseFee: -gwei, priorityFee: -gwei }, 100n * gwei)).toEqual({ maxFee: 1n, maxPriorityFee: 0n })
  })

  it('are raised enough for a node to replace the version, and never above the limit', () => {
    const price = fc.record({ baseFee: fc.bigInt(0n, 10n ** 12n), priorityFee: fc.bigInt(0n, 10n ** 11n) })
    fc.assert(
      fc.property(price, price, fc.bigInt(1n, 10n ** 12n), (before, now, most) => {
        let fees: Fees | null = firstFees(before, most)
        for (let attempt = 0; fees && attempt < 400; attempt += 1) {
          expect(fees.maxFee > 0n && fees.maxFee <= most && fees.maxPriorityFee <= fees.maxFee).toBe(true)
          const higher = higherFees(fees, now, most)
          if (higher) {
            expect(higher.maxFee * 10n >= fees.maxFee * 11n).toBe(true)
            expect(higher.maxPriorityFee * 10n >= fees.maxPriorityFee * 11n).toBe(true)
          }
          fees = higher
        }
        expect(fees).toBeNull()
      }),
    )
  })

  it('rise until they replace any transaction that leaves room below the limit, in a few steps', () => {
    const limit = 300n * gwei
    const stuckFees = fc.bigInt(0n, (limit * 10n) / 11n)
    fc.assert(
      fc.property(stuckFees, stuckFees, fc.bigInt(0n, 2n * gwei), (one, other, firstTip) => {
        const [stuckMax, stuckTip] = one < other ? [other, one] : [one, other]
        let fees: Fees | null = { maxFee: limit, maxPriorityFee: firstTip }
        let steps = 0
        while (fees && (fees.maxFee * 10n < stuckMax * 11n || fees.maxPriorityFee * 10n < stuckTip * 11n)) {
          fees = replacingFees(fees, limit)
          steps += 1
        }
        expect(fees?.maxFee).toBe(limit)
        expect(steps).toBeLessThanOrEqual(10)
      }),
    )
    expect(replacingFees({ maxPriorityFee: 0n }, limit)).toEqual({ maxFee: limit, maxPriorityFee: gwei })
    expect(replacingFees({ maxPriorityFee: 5n * gwei }, limit)?.maxPriorityFee).toBe(10n * gwei)
    expect(replacingFees({ maxPriorityFee: 299n * gwei }, limit)?.maxPriorityFee).toBe(limit)
    expect(replacingFees({ maxPriorityFee: limit }, limit)).toBeNull()
  })
})
