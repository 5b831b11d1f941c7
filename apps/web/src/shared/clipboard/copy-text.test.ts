import { describe, expect, it } from 'vitest'
import { copyText } from './copy-text.ts'

const works = { writeText: async () => {} }
const denies = { writeText: () => Promise.reject(new DOMException('denied', 'NotAllowedError')) }
const absent = undefined

describe('copying a text', () => {
  it('puts the text on the clipboard', async () => {
    const written: string[] = []
    const clipboard = { writeText: async (text: string) => void written.push(text) }
    const outcome = await copyText('7QK2M9X4', { clipboard, copyBySelection: () => false })
    expect(outcome).toBe('copied')
    expect(written).toEqual(['7QK2M9X4'])
  })

  it('uses the older method only if the Clipboard API is missing or denies', async () => {
    for (const [clipboard, expected] of [
      [works, []],
      [denies, ['7QK2M9X4']],
      [absent, ['7QK2M9X4']],
    ] as const) {
      const selected: string[] = []
      const copyBySelection = (text: string) => selected.push(text) > 0
      expect(await copyText('7QK2M9X4', { clipboard, copyBySelection })).toBe('copied')
      expect(selected).toEqual(expected)
    }
  })

  it('reports unsupported if the browser has no Clipboard API', async () => {
    expect(await copyText('x', { clipboard: absent, copyBySelection: () => false })).toBe('unsupported')
  })

  it('reports failed if the browser denies it', async () => {
    expect(await copyText('x', { clipboard: denies, copyBySelection: () => false })).toBe('failed')
  })
})
