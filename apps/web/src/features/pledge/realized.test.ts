import { describe, expect, it } from 'vitest'
import { receivedPerTenThousand } from './realized.ts'

/** q of a day on which this many units of BTC were shared among this weight. */
const perWeight = (shared: bigint, weight: bigint): bigint => (shared * 10n ** 36n) / weight

describe('what 10,000 effective BTN received', () => {
  it('is their part of the production, cut to the smallest unit', () => {
    // 0.0025 BTC among 20,000 effective BTN.
    expect(receivedPerTenThousand(perWeight(250_000n, 200_000_000n))).toBe(125_000n)
    // 0.01728798 BTC among 1,563,569 effective BTN.
    expect(receivedPerTenThousand(perWeight(1_728_798n, 15_635_690_000n))).toBe(11_056n)
  })

  it('is nothing on a day without production', () => {
    expect(receivedPerTenThousand(0n)).toBe(0n)
  })
})
