import { findPromiseWords, ok, type Result, refused } from '@lode/kernel'
import type { DataOf } from '@lode/wire'

/**
 * Help articles are written in a small part of Markdown, which the app can show: a title, headings, paragraphs, lists
 * and bold text. The import parses an article once and refuses everything else, with the line number. So no markup
 * reaches a member. A full Markdown library would need configuration to disable most of its features.
 */

export type Article = DataOf<'help/list'>['articles'][number]
type Block = Article['blocks'][number]
type Spans = Extract<Block, { kind: 'paragraph' }>['spans']

export type ParsedArticle = Pick<Article, 'title' | 'blocks'>

const MAX_CHARACTERS = 10_000
const MAX_TITLE_CHARACTERS = 120

/** Returns the article, or all its errors with their line numbers. */
export function parseArticle(text: string): Result<ParsedArticle, string[]> {
  if (text.length > MAX_CHARACTERS) return refused([`has more than ${MAX_CHARACTERS} characters`])
  const lines = text.replace(/\r\n/g, '\n').split('\n')
  const title = /^# (.+)$/.exec(lines[0] ?? '')?.[1]?.trim()
  const problems = lines.flatMap((line, index) =>
    findProblems(line, index).map((problem) => `line ${index + 1}: ${problem}`),
  )
  if (!title) problems.push('line 1: is not a title, such as “# What a pledge is”')
  else if (title.length > MAX_TITLE_CHARACTERS)
    problems.push(`line 1: has more than ${MAX_TITLE_CHARACTERS} characters`)
  const blocks = parseBlocks(lines.slice(1))
  if (blocks.length === 0) problems.push('has no text')
  return problems.length === 0 && title ? ok({ title, blocks }) : refused(problems)
}

function findProblems(line: string, index: number): string[] {
  const problems = findPromiseWords(line).map((word) => `promises what nobody can: ${word}`)
  if (/^#/.test(line) && index > 0 && !/^## \S/.test(line)) problems.push('only “##” makes a heading')
  const rest = line.replace(/^(#{1,2}|-) /, '').replaceAll(BOLD_PATTERN, '')
  const markup = /[<>`|[\]\\*_~]|^\s*([+=#]|-{2,}|- )|https?:|www\./i.exec(rest)
  if (markup) problems.push(`has markup other than headings, paragraphs, lists and **bold** text: ${markup[0].trim()}`)
  if (/^\s+\S/.test(line)) problems.push('begins with a space')
  // A terminal would obey such characters and hide text. The operators must see exactly what they sign.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(line)) problems.push('has a character that cannot be seen')
  return problems
}

const BOLD_PATTERN = /\*\*([^*]+)\*\*/g
const LIST_ITEM_PATTERN = /^(?:-|(\d+)\.) (.+)$/

function parseBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let canContinue = false
  for (const line of lines) {
    const last = blocks.at(-1)
    const heading = /^## (.+)$/.exec(line)?.[1]
    const item = LIST_ITEM_PATTERN.exec(line)
    if (line.trim() === '') canContinue = false
    else if (heading) {
      blocks.push({ kind: 'heading', text: heading.trim() })
      canContinue = false
    } else if (item) {
      const ordered = item[1] !== undefined
      const spans = parseSpans(item[2] ?? '')
      if (canContinue && last?.kind === 'list' && last.ordered === ordered) last.items.push(spans)
      else blocks.push({ kind: 'list', ordered, items: [spans] })
      canContinue = true
    } else if (canContinue && last?.kind === 'paragraph') last.spans = parseSpans(joinLine(last.spans, line))
    else if (canContinue && last?.kind === 'list') last.items.push(parseSpans(joinLine(last.items.pop() ?? [], line)))
    else {
      blocks.push({ kind: 'paragraph', spans: parseSpans(line) })
      canContinue = true
    }
  }
  return blocks
}

/** Joins a continued line to the text before it: with a space, except between Chinese characters. */
function joinLine(spans: Spans, line: string): string {
  const before = spans.map(({ text, strong }) => (strong ? `**${text}**` : text)).join('')
  const chinese = /[\p{Script=Han}，。、；：？！」』）]$/u.test(before) && /^[\p{Script=Han}「『（]/u.test(line)
  return before + (chinese ? '' : ' ') + line
}

/** Markdown needs a space beside the stars of bold text. Chinese text has no space there. */
const SPACE_BESIDE_BOLD = /(?<=[\p{Script=Han}，。、；：？！」』）]\*\*) (?=[\p{Script=Han}「『（])/gu

function parseSpans(line: string): Spans {
  // Every second part is bold text.
  const parts = line.trim().replace(SPACE_BESIDE_BOLD, '').split(BOLD_PATTERN)
  return parts.map((text, index) => ({ text, strong: index % 2 === 1 })).filter(({ text }) => text !== '')
}
