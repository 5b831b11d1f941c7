import { describe, expect, it } from 'vitest'
import { errorText } from './error-text.ts'
import { createReportLimit } from './report-limit.ts'

const thrown = (message: string, stack: string): Error => Object.assign(new TypeError(message), { stack })

describe('a report', () => {
  it('has the error and its places in our own files, without personal data', () => {
    const error = thrown('no 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'at f (https://pool.example/assets/a.js:1:2)')
    expect(errorText(error)).toBe('TypeError: no 0x…\nat f (https://pool.example/assets/a.js:1:2)')
  })

  it('is not made for errors of other scripts, or for what is no error', () => {
    expect(errorText(thrown('boom', 'at f (chrome-extension://wallet/inpage.js:1:2)'))).toBeNull()
    expect(errorText('boom')).toBeNull()
    expect(errorText(undefined)).toBeNull()
  })

  it('is sent once, and only a few are sent by one page', () => {
    const isAllowed = createReportLimit()
    expect(['a', 'a', 'b', 'c', 'd', 'e', 'f'].map(isAllowed)).toEqual([true, false, true, true, true, true, false])
  })
})
