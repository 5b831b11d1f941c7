import { describe, expect, it } from 'vitest'
import { createPageCursors } from './page.ts'

const SECRET = 'a secret that only this test knows'
const cursors = createPageCursors(SECRET)
const MEMBER = 5n

const cursorOf = (input: object, row = 1_234n) => {
  const { next } = cursors.sealNext('order/list', MEMBER, input, { next: String(row) }) as { next: string }
  return next
}

describe('the cursor of a page', () => {
  it('leads to the next page, in every api process', () => {
    const cursor = cursorOf({ type: '1', limit: '7' })
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{22}$/)
    const again = { limit: '9', cursor, type: '1', account: '0x01', _t: '99' }
    expect(createPageCursors(SECRET).readPage('order/list', MEMBER, again)).toEqual({ before: 1_234n, limit: 9 })
  })

  it('is the same for the same page, and tells nothing about the distance between two rows', () => {
    expect(cursorOf({ type: '1' })).toBe(cursorOf({ type: '1' }))
    const near = [cursorOf({ type: '1' }, 1n), cursorOf({ type: '1' }, 2n)].map((text) =>
      Buffer.from(text, 'base64url'),
    )
    const [one, two] = near
    const equalBytes = one?.filter((byte, index) => byte === two?.[index]).length ?? 16
    expect(equalBytes).toBeLessThan(6)
  })

  it('is refused for another list, another filter, another member or another secret', () => {
    const cursor = cursorOf({ type: '1' })
    const read = (list: string, viewer: bigint, input: object, by = cursors) =>
      by.readPage(list, viewer, { ...input, cursor })
    expect(read('order/list', MEMBER, { type: '1' })).not.toBeNull()
    expect(read('order/payments', MEMBER, { type: '1' })).toBeNull()
    expect(read('order/list', MEMBER, { type: '2' })).toBeNull()
    expect(read('order/list', MEMBER, { type: '1', symbol: 'USDT' })).toBeNull()
    expect(read('order/list', 6n, { type: '1' })).toBeNull()
    expect(read('order/list', 0n, { type: '1' })).toBeNull()
    expect(read('order/list', MEMBER, { type: '1' }, createPageCursors(`${SECRET}.`))).toBeNull()
  })

  it('is missing on the first page, and after the last', () => {
    expect(cursors.readPage('order/list', MEMBER, {})).toEqual({ limit: 20 })
    expect(cursors.sealNext('order/list', MEMBER, {}, { next: null })).toEqual({ next: null })
  })
})
