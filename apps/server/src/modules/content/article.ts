import { ok, promiseWordsIn, type Result, refused } from '@lode/kernel'
import type { DataOf } from '@lode/wire'

/**
 * An article of the help is written as Markdown, of which it may use what the app draws: a title, headings, paragraphs, lists and
 * strong words. It is read here, once, when it is imported, and everything else is refused with its line: what reaches a member
 * has no markup left. A library that reads all of Markdown would have to be told to leave most of it out.
 */

export type Article = DataOf<'help/list'>['articles'][number]
type Block = Article['blocks'][number]
type Spans = Extract<Block, { kind: 'paragraph' }>['spans']

export type ReadArticle = Pick<Article, 'title' | 'blocks'>

const LONGEST = 10_000
const LONGEST_TITLE = 120

/** In words what is wrong with it, each with its line. */
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

/** A line that was broken only for whoever writes it goes on: with a space, but not between Chinese characters. */
function joined(spans: Spans, line: string): string {
  const before = spans.map(({ text, strong }) => (strong ? `**${text}**` : text)).join('')
  const chinese = /[\p{Script=Han}，。、；：？！」』）]$/u.test(before) && /^[\p{Script=Han}「『（]/u.test(line)
  return before + (chinese ? '' : ' ') + line
}

/** Markdown wants a space beside the stars where Chinese has none. */
const SPACE_BESIDE_STRONG = /(?<=[\p{Script=Han}，。、；：？！」』）]\*\*) (?=[\p{Script=Han}「『（])/gu

function spansOf(line: string): Spans {
  // Every second part is what stood between the stars.
  const parts = line.trim().replace(SPACE_BESIDE_STRONG, '').split(STRONG)
  return parts.map((text, index) => ({ text, strong: index % 2 === 1 })).filter(({ text }) => text !== '')
}
