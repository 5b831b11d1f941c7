import { type Article, articleTexts } from './article-text.ts'

/**
 * Finds articles by the typed text. Latin words match as they are, in any order. Chinese has no spaces, so a run of
 * characters is matched by its pairs: 忘記資金密碼 also finds 資金密碼 … 忘記. Every word and at least three in five pairs
 * must match. Matches in a title come first.
 */
export function searchArticles(articles: readonly Article[], typed: string): Article[] {
  const { words, pairs } = splitSearchText(typed)
  if (words.length + pairs.length === 0) return [...articles]
  return articles
    .map((article) => ({ article, score: scoreArticle(article, words, pairs) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ article }) => article)
}

const MIN_PAIR_SHARE = 0.6
const TITLE_WEIGHT = 10

function scoreArticle(article: Article, words: readonly string[], pairs: readonly string[]): number {
  const title = normalize(article.title)
  const whole = [title, ...articleTexts(article).map(normalize)].join('\n')
  if (!words.every((word) => whole.includes(word))) return 0
  const found = pairs.filter((pair) => whole.includes(pair)).length
  if (found < pairs.length * MIN_PAIR_SHARE) return 0
  const inTitle = [...words, ...pairs].filter((piece) => title.includes(piece)).length
  return words.length + found + TITLE_WEIGHT * inTitle
}

/** Normalizes a text for comparison: one width of letters and digits, lower case. */
const normalize = (text: string): string => text.normalize('NFKC').toLowerCase()

const HAN = /\p{Script=Han}+/gu

function splitSearchText(typed: string): { words: string[]; pairs: string[] } {
  const text = normalize(typed)
  const runs = text.match(HAN) ?? []
  return {
    words: text.replace(HAN, ' ').match(/[\p{L}\p{N}]+/gu) ?? [],
    pairs: runs.flatMap((run) =>
      run.length === 1 ? [run] : Array.from({ length: run.length - 1 }, (_, start) => run.slice(start, start + 2)),
    ),
  }
}
