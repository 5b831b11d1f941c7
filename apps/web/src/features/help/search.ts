import { type Article, textsOf } from './article-text.ts'

/**
 * Finds articles by the typed text. Latin words match as they are, in any order. Chinese has no spaces, so a run of
 * characters is matched by its pairs: 忘記資金密碼 also finds 資金密碼 … 忘記. All words must match, and three in five pairs.
 * Matches in a title come first.
 */
export function search(articles: readonly Article[], typed: string): Article[] {
  const { words, pairs } = piecesOf(typed)
  if (words.length + pairs.length === 0) return [...articles]
  return articles
    .map((article) => ({ article, score: scoreOf(article, words, pairs) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ article }) => article)
}

const ENOUGH_PAIRS = 0.6
const TITLE_COUNTS = 10

function scoreOf(article: Article, words: readonly string[], pairs: readonly string[]): number {
  const title = normal(article.title)
  const whole = [title, ...textsOf(article).map(normal)].join('\n')
  if (!words.every((word) => whole.includes(word))) return 0
  const found = pairs.filter((pair) => whole.includes(pair)).length
  if (found < pairs.length * ENOUGH_PAIRS) return 0
  const inTitle = [...words, ...pairs].filter((piece) => title.includes(piece)).length
  return words.length + found + TITLE_COUNTS * inTitle
}

/** Normalizes a text for comparison: one width of letters and digits, lower case. */
const normal = (text: string): string => text.normalize('NFKC').toLowerCase()

const HAN = /\p{Script=Han}+/gu

function piecesOf(typed: string): { words: string[]; pairs: string[] } {
  const text = normal(typed)
  const runs = text.match(HAN) ?? []
  return {
    words: text.replace(HAN, ' ').match(/[\p{L}\p{N}]+/gu) ?? [],
    pairs: runs.flatMap((run) =>
      run.length === 1 ? [run] : Array.from({ length: run.length - 1 }, (_, start) => run.slice(start, start + 2)),
    ),
  }
}
