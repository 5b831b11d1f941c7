import { describe, expect, it } from 'vitest'
import { canShare, openShareSheet } from './share-sheet.ts'

const card = { title: 'Lode', text: 'An invitation', url: 'https://pool.example/regist?invite=7QK2M9X4' }
const sharing = (error?: Error) => ({ share: () => (error ? Promise.reject(error) : Promise.resolve()) })

describe('the system’s share sheet', () => {
  it('is offered if the browser can share links', () => {
    expect(canShare({}, card)).toBe(false)
    expect(canShare(sharing(), card)).toBe(true)
    expect(canShare({ ...sharing(), canShare: () => false }, card)).toBe(false)
  })

  it('is offered for files only if the browser reports that it accepts them', () => {
    const files = { files: [new File(['a'], 'a.csv')] }
    expect(canShare(sharing(), files)).toBe(false)
    expect(canShare({ ...sharing(), canShare: () => false }, files)).toBe(false)
    expect(canShare({ ...sharing(), canShare: () => true }, files)).toBe(true)
  })

  it('can be closed by the member, which is not a failure', async () => {
    expect(await openShareSheet(sharing(), card)).toBe('shared')
    expect(await openShareSheet(sharing(new DOMException('no', 'AbortError')), card)).toBe('put-away')
    expect(await openShareSheet(sharing(new DOMException('no', 'NotAllowedError')), card)).toBe('failed')
  })
})
