import { describe, expect, it } from 'vitest'
import { lookUpText } from './text-lookup.ts'

const first = { shell: { name: 'Lode' }, paid: '{{amount}} paid at {{time}}' }
const second = {
  shell: { titles: { home: 'Home' } },
  days_one: '{{count}} day',
  days_other: '{{count}} days',
  seen_other: '共 {{count}} 筆',
  left: 'Left: {{count}}',
}
const find = (key: string, values?: Parameters<typeof lookUpText>[2]) => lookUpText([first, second], key, values)

describe('a text', () => {
  it('is found in every catalog, also if two of them have the same group', () => {
    expect([find('shell.name'), find('shell.titles.home')]).toEqual(['Lode', 'Home'])
  })

  it('has its placeholders filled, and never fills a placeholder inside a value', () => {
    expect(find('paid', { amount: '{{time}} $& 5', time: '10:00' })).toBe('{{time}} $& 5 paid at 10:00')
    expect(find('paid', { amount: 0 })).toBe('0 paid at ')
  })

  it('with a count has the form of that count, or its only form', () => {
    expect([0, 1, 2, 1.5].map((count) => find('days', { count }))).toEqual(['0 days', '1 day', '2 days', '1.5 days'])
    expect([1, 2].map((count) => find('seen', { count }))).toEqual(['共 1 筆', '共 2 筆'])
    expect(find('left', { count: 1 })).toBe('Left: 1')
  })

  it.each(['missing', 'shell', 'shell.name.x', 'days'])('that does not exist, as %s, is its key', (key) => {
    expect(find(key)).toBe(key)
  })
})
