import { describe, expect, it } from 'vitest'
import { readArticle } from './article.ts'

const read = (...lines: string[]) => {
  const article = readArticle(lines.join('\n'))
  return article.ok ? article.value : article.error
}
const plain = (text: string) => ({ text, strong: false })
const strong = (text: string) => ({ text, strong: true })

describe('an article', () => {
  it('is a title, headings, paragraphs, lists and strong words', () => {
    expect(
      read(
        '# What a pledge is',
        '',
        'You lock **BTN** for',
        'a term.',
        '',
        '## Two things',
        '',
        '- one',
        '- two',
        '  ',
      ),
    ).toEqual({
      title: 'What a pledge is',
      blocks: [
        { kind: 'paragraph', spans: [plain('You lock '), strong('BTN'), plain(' for a term.')] },
        { kind: 'heading', text: 'Two things' },
        { kind: 'list', ordered: false, items: [[plain('one')], [plain('two')]] },
      ],
    })
  })

  it('counts where it is written so, and begins anew after a paragraph', () => {
    expect(read('# Steps', '', '1. open', '2. sign', '', 'Then:', '- wait')).toMatchObject({
      blocks: [
        { kind: 'list', ordered: true, items: [[plain('open')], [plain('sign')]] },
        { kind: 'paragraph' },
        { kind: 'list', ordered: false, items: [[plain('wait')]] },
      ],
    })
  })

  it('joins lines of Chinese without a space', () => {
    expect(read('# 質押', '', '質押期間', '不能提前結束。', 'BTN 會鎖定。')).toMatchObject({
      blocks: [{ spans: [plain('質押期間不能提前結束。 BTN 會鎖定。')] }],
    })
  })

  it('has no space beside strong words where Chinese has none', () => {
    expect(read('# 質押', '', '**不能提前結束，** 請留意。', '', '**BTN** 會鎖定。')).toMatchObject({
      blocks: [
        { spans: [strong('不能提前結束，'), plain('請留意。')] },
        { spans: [strong('BTN'), plain(' 會鎖定。')] },
      ],
    })
  })

  it.each([
    ['raw HTML', 'a <b>word</b>'],
    ['a script', '<script>alert(1)</script>'],
    ['a link', 'see [this](https://elsewhere.example)'],
    ['a bare address', 'see https://elsewhere.example'],
    ['a picture', '![logo](logo.png)'],
    ['code', 'run `this`'],
    ['a quotation', '> so they say'],
    ['a table', '| a | b |'],
    ['a rule', '---'],
    ['slanted words', 'this is *new*'],
    ['a deeper heading', '### Deep'],
    ['a list in a list', '  - deeper'],
    ['a strong word that never ends', 'this is **new'],
    ['a promise', 'Income is guaranteed.'],
  ])('has no room for %s', (_what, line) => {
    expect(read('# Title', '', 'A paragraph.', '', line)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^line 5: /)]),
    )
  })

  it('has a title and says something', () => {
    expect(read('What a pledge is', '', 'You lock BTN.')).toEqual([expect.stringContaining('line 1: is not a title')])
    expect(read('# What a pledge is', '')).toEqual(['says nothing'])
    expect(read('# Title', 'x'.repeat(10_001))).toEqual(['has more than 10000 characters'])
  })
})
