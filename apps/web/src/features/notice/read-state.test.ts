import type { DataOf } from '@lode/wire'
import { describe, expect, it } from 'vitest'
import { markPageRead } from './read-state.ts'

const words = { title: 'A new node', body: ['Payouts wait for an hour.'] }
const notice = (id: string, read: boolean): DataOf<'notice/list'>['items'][number] => ({
  id,
  read,
  at: '2026-11-15T06:14:09.000Z',
  kind: 'message',
  words: { en: words, zh_tw: words, zh_cn: words },
})
const page: DataOf<'notice/list'> = {
  items: [notice('100', false), notice('99', false), notice('9', false), notice('3', true)],
  next: null,
  unread: 3,
}
const unreadAfter = (marked: Parameters<typeof markPageRead>[1]) => {
  const { items, unread } = markPageRead(page, marked)
  return [items.filter(({ read }) => !read).map(({ id }) => id), unread]
}

describe('a list of notices', () => {
  it('has one unread notice less when a notice is read, but only the first time', () => {
    expect(unreadAfter({ id: '99' })).toEqual([['100', '9'], 2])
    expect(unreadAfter({ id: '3' })).toEqual([['100', '99', '9'], 3])
  })

  it('has no unread notice up to the one that is marked together with all older ones; ids compare as numbers', () => {
    expect(unreadAfter({ id: '99', andOlder: true })).toEqual([['100'], 1])
    expect(unreadAfter({ id: '100', andOlder: true })).toEqual([[], 0])
  })

  it('stays the same when a notice of another page is read', () => {
    expect(markPageRead(page, { id: '1000' })).toEqual(page)
  })
})
