import { describe, expect, it } from 'vitest'
import { parseNoticeText } from './notice-text.ts'

const words = { title: 'The pool moves to a new node', body: ['Payouts wait for an hour.', 'Nothing else changes.'] }
const notice = {
  en: words,
  zh_tw: { title: '更換節點', body: ['轉出會等一個小時。'] },
  zh_cn: { title: '更换节点', body: ['转出会等一小时。'] },
}
const problems = (change: object) => {
  const read = parseNoticeText(JSON.stringify({ ...notice, ...change }))
  return read.ok ? [] : read.error
}

describe('a notice', () => {
  it('has a title and paragraphs in three languages', () => {
    expect(parseNoticeText(JSON.stringify(notice))).toEqual({ ok: true, value: notice })
  })

  it.each([
    ['a language missing', { zh_cn: undefined }, /^zh_cn: is missing$/],
    ['an unknown language', { fr: words }, /fr/],
    ['no title', { en: { body: words.body } }, /^en, title: is missing$/],
    ['an empty title', { en: { ...words, title: '' } }, /^en, title: /],
    ['a title that is too long', { en: { ...words, title: 'x'.repeat(81) } }, /^en, title: /],
    ['no body', { en: { ...words, body: [] } }, /^en, body: /],
    ['a line break', { en: { ...words, body: ['one\ntwo'] } }, /^en, paragraph 1: must be one line of plain words/],
    ['characters that reverse the text direction', { en: { ...words, body: ['pay \u202Eto'] } }, /plain words/],
    ['a link', { en: { ...words, body: ['Go to https://elsewhere.example'] } }, /^en, paragraph 1: has a link/],
    [
      'a promise in a paragraph',
      { en: { ...words, body: ['One', 'Nothing is guaranteed'] } },
      /^en, paragraph 2: promises what nobody can: guaranteed$/,
    ],
    ['a promise', { zh_tw: { title: '穩賺不賠', body: ['現在加入'] } }, /^zh_tw, title: promises/],
  ])('is refused with %s', (_what, change, problem) => {
    expect(problems(change)).toEqual([expect.stringMatching(problem)])
  })

  it('must be JSON', () => {
    expect(parseNoticeText('# A notice')).toEqual({ ok: false, error: ['it is not JSON'] })
  })
})
