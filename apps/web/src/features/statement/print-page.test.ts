import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { printPage } from './print-page.ts'

/** A page whose browser reports printing after this many milliseconds, or never. */
function pageThat(tellsAfterMs: number | null): Window {
  const page = new EventTarget() as Window
  page.print = () => {
    if (tellsAfterMs === 0) page.dispatchEvent(new Event('beforeprint'))
    else if (tellsAfterMs !== null) setTimeout(() => page.dispatchEvent(new Event('beforeprint')), tellsAfterMs)
  }
  return page
}

describe('printing', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('has begun if the browser reports it, at once or a moment later', async () => {
    expect(await printPage(pageThat(0))).toBe('began')
    const later = printPage(pageThat(400))
    await vi.advanceTimersByTimeAsync(400)
    expect(await later).toBe('began')
  })

  it('has an unknown outcome if the browser reports nothing', async () => {
    const printing = printPage(pageThat(null))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await printing).toBe('unheard')
  })

  it('is unavailable in a browser that cannot print', async () => {
    expect(await printPage(new EventTarget() as Window)).toBe('missing')
  })
})
