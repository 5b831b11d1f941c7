import { ok, promiseWordsIn, type Result, refused } from '@lode/kernel'
import type { DataOf } from '@lode/wire'

/**
 * Help articles are written in a small part of Markdown, which the app can show: a title, headings, paragraphs, lists
 * and bold text. The import parses an article once and refuses everything else, with the line number. So no markup
 * reaches a member. A full Markdown library would need configuration to disable most of its features.
 */

export type Article = DataOf<'help/list'>['articles'][number]
type Block = Article['blocks'][number]
type Spans = Extract<Block, { kind: 'paragraph' }>['spans']

export type ReadArticle = Pick<Article, 'title' | 'blocks'>

const LONGEST = 10_000
const LONGEST_TITLE = 120

/** Returns the article, or all its errors with their line numbers. */
export function readArticle(text: string): Result<ReadArticle, string[]> {
  if (text.length > LONGEST) return refused([`has more than ${LONGEST} characters`])
  const lines = text.replace(/\r\n/g, '\n').split('\n')
  const title = /^# (.+)$/.exec(lines[0] ?? '')?.[1]?.trim()
  const problems = lines.flatMap((line, index) => problemsOf(line, index).map((what) => `line ${index + 1}: ${what}`))
  if (!title) problems.push('line 1: is not a title, such as “# What a pledge is”')
  else if (title.length > LONGEST_TITLE) problems.push(`line 1: has more than ${LONGEST_TITLE} characters`)
  const blocks = blocksOf(lines.slice(1))
  if (blocks.length === 0) problems.push('says nothing')
  return problems.length === 0 && title ? ok({ title, blocks }) : refused(problems)
}

function problemsOf(line: string, index: number): string[] {
  const problems = promiseWordsIn(line).map((word) => `promises what nobody can: ${word}`)
  if (/^#/.test(line) && index > 0 && !/^## \S/.test(line)) problems.push('only “##” makes a heading')
  const left = line.replace(/^(#{1,2}|-) /, '').replaceAll(STRONG, '')
  const markup = /[<>`|[\]\\*_~]|^\s*([+=#]|-{2,}|- )|https?:/.exec(left)
  if (markup) problems.push(`is more than a heading, a paragraph, a list or **strong** words: ${markup[0].trim()}`)
  if (/^\s+\S/.test(line)) problems.push('begins with a space')
  return problems
}

const STRONG = /\*\*([^*]+)\*\*/g
const ITEM = /^(?:-|(\d+)\.) (.+)$/

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let open = false
  for (const line of lines) {
    const last = blocks.at(-1)
    const heading = /^## (.+)$/.exec(line)?.[1]
    const item = ITEM.exec(line)
    if (line.trim() === '') open = false
    else if (heading) {
      blocks.push({ kind: 'heading', text: heading.trim() })
      open = false
    } else if (item) {
      const ordered = item[1] !== undefined
      const spans = spansOf(item[2] ?? '')
      if (open && last?.kind === 'list' && last.ordered === ordered) last.items.push(spans)
      else blocks.push({ kind: 'list', ordered, items: [spans] })
      open = true
    } else if (open && last?.kind === 'paragraph') last.spans = spansOf(joined(last.spans, line))
    else if (open && last?.kind === 'list') last.items.push(spansOf(joined(last.items.pop() ?? [], line)))
    else {
      blocks.push({ kind: 'paragraph', spans: spansOf(line) })
      open = true
    }
  }
  return blocks
}

/** Joins a continued line to the text before it: with a space, except between Chinese characters. */
function joined(spans: Spans, line: string): string {
  const before = spans.map(({ text, strong }) => (strong ? `**${text}**` : text)).join('')
  const chinese = /[\p{Script=Han}，。、；：？！」』）]$/u.test(before) && /^[\p{Script=Han}「『（]/u.test(line)
  return before + (chinese ? '' : ' ') + line
}

/** Markdown needs a space beside the stars of bold text. Chinese text has no space there. */
const SPACE_BESIDE_STRONG = /(?<=[\p{Script=Han}，。、；：？！」』）]\*\*) (?=[\p{Script=Han}「『（])/gu

function spansOf(line: string): Spans {
  // Every second part is bold text.
  const parts = line.trim().replace(SPACE_BESIDE_STRONG, '').split(STRONG)
  return parts.map((text, index) => ({ text, strong: index % 2 === 1 })).filter(({ text }) => text !== '')
}
