import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startLoading, useLoading } from './loading.ts'

describe('the loading overlay', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const text = () => useLoading.getState().text

  it('is shown until it is stopped', () => {
    const stop = startLoading('Signing out')
    expect(text()).toBe('Signing out')
    stop()
    expect(text()).toBeNull()
  })

  it('ends by itself after three minutes', () => {
    startLoading()
    vi.advanceTimersByTime(179_999)
    expect(text()).toBe('')
    vi.advanceTimersByTime(1)
    expect(text()).toBeNull()
  })

  it('is not ended by an earlier one', () => {
    const stopFirst = startLoading('first')
    const stopSecond = startLoading('second')
    stopFirst()
    expect(text()).toBe('second')
    vi.advanceTimersByTime(1)
    stopSecond()
    expect(text()).toBeNull()
  })
})
