import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Article } from './article-text.ts'
import { searchArticles } from './search-articles.ts'

const article = (slug: string, title: string, ...paragraphs: string[]): Article => ({
  slug,
  title,
  blocks: paragraphs.map((text) => ({ kind: 'paragraph', spans: [{ text, strong: false }] })),
})
const english = [
  article('pledge', 'What a pledge is', 'You lock BTN. The fund password is asked for where you pay from the balance.'),
  article('password', 'The fund password', 'Forgotten? Ask for a reset.'),
  article('fake', 'How to recognize a fake site', 'Compare every letter of the address.'),
]
const chinese = [
  article('pledge', '什麼是質押', '用餘額支付時需要資金密碼。'),
  article('password', '資金密碼', '如果忘記了，可以申請重設。'),
  article('fake', '如何辨認假網站', '請逐字核對網址。'),
]
const help = join(import.meta.dirname, '../../../../server/help')
/** Our own articles, with a paragraph for each line. */
const readArticles = (language: string): Article[] =>
  globSync('*.md', { cwd: join(help, language) })
    .sort()
    .map((file) => {
      const [title = '', ...lines] = readFileSync(join(help, language, file), 'utf8')
        .replaceAll('*', '')
        .split('\n')
      return article(file.replace(/^\d+-|\.md$/g, ''), title, ...lines)
    })
const found = (articles: Article[], typed: string) => searchArticles(articles, typed).map(({ slug }) => slug)

describe('a search of the help articles', () => {
  it('finds articles with all words, in any order and case, and lists matches in titles first', () => {
    expect(found(english, 'PASSWORD fund')).toEqual(['password', 'pledge'])
    expect(found(english, 'reset password')).toEqual(['password'])
    expect(found(english, 'letter')).toEqual(['fake'])
  })

  it('finds Chinese text without spaces, even if the words are not adjacent in the article', () => {
    expect(found(chinese, '密碼')).toEqual(['password', 'pledge'])
    expect(found(chinese, '假網站')).toEqual(['fake'])
    expect(found(chinese, '忘記資金密碼')).toEqual(['password', 'pledge'])
    expect(found(chinese, '申請重設密碼')).toEqual(['password'])
    expect(found(chinese, '網')).toEqual(['fake'])
  })

  it('knows words that members use and the articles do not', () => {
    const articles = [...english, article('out', 'Money out', 'Transfers go to your output address.')]
    expect(found(articles, 'withdraw')).toEqual(['out'])
    expect(found(articles, 'How do I withdraw?')).toEqual(['out'])
    expect(found(articles, 'forgot my password')).toEqual(['password'])
    expect(found(articles, 'scam')).toEqual(['fake'])
    expect(found([article('out', '轉出', '資產會轉到您的輸出地址。')], '我要提現')).toEqual(['out'])
  })

  it.each([
    ['en', 'fees', 'money-in-and-out'],
    ['en', 'risk', 'what-can-go-wrong'],
    ['en', 'dividends', 'what-a-pledge-is'],
    ['en', 'pledging', 'what-a-pledge-is'],
    ['en', 'withdraw', 'money-in-and-out'],
    ['en', 'withdrawals', 'money-in-and-out'],
    ['en', 'lost password', 'fund-password'],
    ['en', 'support', 'what-we-never-ask'],
    ['en', 'complaint', 'what-we-never-ask'],
    ['zh_tw', '提領', 'money-in-and-out'],
    ['zh_tw', '出金', 'money-in-and-out'],
    ['zh_tw', '取款', 'money-in-and-out'],
    ['zh_tw', '領錢', 'money-in-and-out'],
    ['zh_tw', '轉帳', 'money-in-and-out'],
    ['zh_tw', '紅利', 'what-a-pledge-is'],
    ['zh_tw', '風險', 'what-can-go-wrong'],
    ['zh_tw', '聯繫', 'what-we-never-ask'],
    ['zh_cn', '提领', 'money-in-and-out'],
    ['zh_cn', '取款', 'money-in-and-out'],
    ['zh_cn', '转账', 'money-in-and-out'],
    ['zh_cn', '分红', 'what-a-pledge-is'],
    ['zh_cn', '投诉', 'what-we-never-ask'],
  ] as const)('finds our own articles in %s by “%s”: %s', (language, typed, slug) => {
    const slugs = found(readArticles(language), typed)
    if (slug === 'what-we-never-ask' || typed === 'fees') expect(slugs).toContain(slug)
    else expect(slugs[0]).toBe(slug)
  })

  it('treats full-width and half-width letters as the same', () => {
    expect(found([article('btn', 'BTN', '質押 BTN')], 'ｂｔｎ')).toEqual(['btn'])
  })

  it('searches headings and lists, not only paragraphs', () => {
    const parts: Article = {
      slug: 'parts',
      title: 'Parts',
      blocks: [
        { kind: 'heading', text: 'Heading' },
        {
          kind: 'list',
          ordered: true,
          items: [
            [
              { text: 'first ', strong: false },
              { text: 'item', strong: true },
            ],
          ],
        },
      ],
    }
    expect(found([parts], 'heading')).toEqual(['parts'])
    expect(found([parts], 'first item')).toEqual(['parts'])
  })

  it('finds nothing if a word does not occur, and all articles if the search is empty', () => {
    expect(found(english, 'airdrop')).toEqual([])
    expect(found(chinese, '空投儲備')).toEqual([])
    expect(found(english, ' … ')).toEqual(['pledge', 'password', 'fake'])
  })
})
