import { describe, expect, it } from 'vitest'
import { writeClipboard } from './copy.ts'

describe('copying', () => {
  it('puts the text on the clipboard', async () => {
    const written: string[] = []
    const clipboard = { writeText: async (text: string) => void written.push(text) }
    expect(await writeClipboard(clipboard, '7QK2M9X4')).toBe('copied')
    expect(written).toEqual(['7QK2M9X4'])
  })

  it('says when the browser has no clipboard', async () => {
    expect(await writeClipboard(undefined, 'x')).toBe('unsupported')
  })

  it('says when the browser forbids it', async () => {
    const clipboard = { writeText: () => Promise.reject(new DOMException('denied', 'NotAllowedError')) }
    expect(await writeClipboard(clipboard, 'x')).toBe('failed')
  })
})
