import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { showMessage, useMessage } from './message.ts'

describe('a message', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const text = () => useMessage.getState().message?.text

  it('is shown for three seconds', () => {
    showMessage({ tone: 'error', text: 'Navigate page failed' })
    vi.advanceTimersByTime(2_999)
    expect(text()).toBe('Navigate page failed')
    vi.advanceTimersByTime(1)
    expect(text()).toBeUndefined()
  })

  it('is shown for its own three seconds if it replaces another', () => {
    showMessage({ tone: 'error', text: 'first' })
    vi.advanceTimersByTime(2_000)
    showMessage({ tone: 'info', text: 'second' })
    vi.advanceTimersByTime(2_999)
    expect(text()).toBe('second')
  })
})
