import type { DataOf } from '@lode/wire'
import { describe, expect, it } from 'vitest'
import { markPageRead } from './read-state.ts'

const words = { title: 'A new node', body: ['Payouts wait for an hour.'] }
const notice = (id: string, hour: string, read: boolean): DataOf<'notice/list'>['items'][number] => ({
  id,
  read,
  at: `2026-11-15T${hour}:14:09.000Z`,
  kind: 'message',
  words: { en: words, zh_tw: words, zh_cn: words },
})
/** The ids are not in order, as those of the server. */
const newest = notice('kQ', '10', false)
const second = notice('Zx', '09', false)
const third = notice('aB', '08', false)
const last = notice('m3', '07', true)
const page: DataOf<'notice/list'> = {
  items: [newest, second, third, last],
  next: null,
  unread: 3,
}
const unreadAfter = (marked: Parameters<typeof markPageRead>[1]) => {
  const { items, unread } = markPageRead(page, marked)
  return [items.filter(({ read }) => !read).map(({ id }) => id), unread]
}

describe('a list of notices', () => {
  it('has one unread notice less when a notice is read, but only the first time', () => {
    expect(unreadAfter({ notice: second })).toEqual([['kQ', 'aB'], 2])
    expect(unreadAfter({ notice: last })).toEqual([['kQ', 'Zx', 'aB'], 3])
  })

  it('has no unread notice up to the one that is marked together with all older ones', () => {
    expect(unreadAfter({ notice: second, andOlder: true })).toEqual([['kQ'], 1])
    expect(unreadAfter({ notice: newest, andOlder: true })).toEqual([[], 0])
  })

  it('stays the same when a notice of another page is read', () => {
    expect(markPageRead(page, { notice: notice('x9', '09', false) })).toEqual(page)
  })

  it('has no unread notice when a newer one of another page is marked together with all older ones', () => {
    expect(unreadAfter({ notice: notice('x9', '11', false), andOlder: true })).toEqual([[], 0])
  })
})
