import { describe, expect, it } from 'vitest'
import { parseArticle } from './article.ts'

const parse = (...lines: string[]) => {
  const article = parseArticle(lines.join('\n'))
  return article.ok ? article.value : article.error
}
const plain = (text: string) => ({ text, strong: false })
const strong = (text: string) => ({ text, strong: true })

describe('an article', () => {
  it('has a title, headings, paragraphs, lists and bold text', () => {
    expect(
      parse(
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

  it('has numbered lists, and a paragraph ends a list', () => {
    expect(parse('# Steps', '', '1. open', '2. sign', '', 'Then:', '- wait')).toMatchObject({
      blocks: [
        { kind: 'list', ordered: true, items: [[plain('open')], [plain('sign')]] },
        { kind: 'paragraph' },
        { kind: 'list', ordered: false, items: [[plain('wait')]] },
      ],
    })
  })

  it('joins lines of Chinese text without a space', () => {
    expect(parse('# 質押', '', '質押期間', '不能提前結束。', 'BTN 會鎖定。')).toMatchObject({
      blocks: [{ spans: [plain('質押期間不能提前結束。 BTN 會鎖定。')] }],
    })
  })

  it('has no space beside bold text between Chinese characters', () => {
    expect(parse('# 質押', '', '**不能提前結束，** 請留意。', '', '**BTN** 會鎖定。')).toMatchObject({
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
    ['a bare URL', 'see https://elsewhere.example'],
    ['a picture', '![logo](logo.png)'],
    ['code', 'run `this`'],
    ['a quotation', '> so they say'],
    ['a table', '| a | b |'],
    ['a horizontal rule', '---'],
    ['italic text', 'this is *new*'],
    ['a deeper heading', '### Deep'],
    ['a nested list', '  - deeper'],
    ['bold text that is not closed', 'this is **new'],
    ['a promise', 'Income is guaranteed.'],
    ['a control character', 'Text.\u001b[8mhidden'],
    ['a character that turns the text round', 'Text \u202eabc.'],
    ['a zero byte', 'Text.\u0000'],
    ['a second kind of line end', 'Text.\u2028More.'],
    ['a link without its scheme', 'See WWW.example.org.'],
  ])('is refused with %s', (_what, line) => {
    expect(parse('# Title', '', 'A paragraph.', '', line)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^line 5: /)]),
    )
  })

  it('must have a title and some text, and must not be too long', () => {
    expect(parse('What a pledge is', '', 'You lock BTN.')).toEqual([expect.stringContaining('line 1: is not a title')])
    expect(parse('# What a pledge is', '')).toEqual(['has no text'])
    expect(parse('# Title', 'x'.repeat(10_001))).toEqual(['has more than 10000 characters'])
  })
})
