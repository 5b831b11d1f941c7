import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cacheFor } from './cache-for.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a cached value', () => {
  it('is computed once for all callers until it is too old', async () => {
    const count = vi.fn<() => Promise<number>>()
    for (const value of [1, 2]) count.mockResolvedValueOnce(value)
    const ask = cacheFor(1_000, count)
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
    vi.advanceTimersByTime(1_000)
    expect(await ask()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(await ask()).toBe(2)
    expect(count).toHaveBeenCalledTimes(2)
  })

  it('is computed again for the next caller after a failure', async () => {
    const count = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce(7)
    const ask = cacheFor(1_000, count)
    await expect(Promise.all([ask(), ask()])).rejects.toThrow('away')
    expect(await ask()).toBe(7)
  })
})
