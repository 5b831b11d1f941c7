import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { atMostEvery } from './at-most-every.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('what is counted at most every so often', () => {
  it('is counted once for all who ask at once or soon after, and anew later', async () => {
    const count = vi.fn<() => Promise<number>>()
    for (const value of [1, 2]) count.mockResolvedValueOnce(value)
    const ask = atMostEvery(1_000, count)
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
    vi.advanceTimersByTime(1_000)
    expect(await ask()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(await ask()).toBe(2)
    expect(count).toHaveBeenCalledTimes(2)
  })

  it('is counted again by whoever asks next where it could not be counted', async () => {
    const count = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce(7)
    const ask = atMostEvery(1_000, count)
    await expect(Promise.all([ask(), ask()])).rejects.toThrow('away')
    expect(await ask()).toBe(7)
  })
})
