import { type Article, articleTexts } from './article-text.ts'

/** Words that members type and the articles do not use, with the word that they use. An empty one is left out. */
const synonyms: Readonly<Record<string, string>> = {
  withdraw: 'transfer',
  withdrawal: 'transfer',
  cash: 'transfer',
  payout: 'transfer',
  stake: 'pledge',
  staking: 'pledge',
  upgrade: 'promotion',
  scam: 'fake',
  phishing: 'fake',
  profit: 'promise',
  gas: 'fee',
  start: 'begin',
  forgot: 'forgotten',
  lost: 'lose',
  support: 'contact',
  complaint: 'contact',
  complain: 'contact',
  ...Object.fromEntries(['a', 'an', 'the', 'how', 'to', 'do', 'i', 'can', 'is', 'my'].map((word) => [word, ''])),
}

/** The same for Chinese, which has no spaces between words. */
const chineseSynonyms: Readonly<Record<string, string>> = {
  提現: '轉出',
  提幣: '轉出',
  提款: '轉出',
  提现: '转出',
  提币: '转出',
  提領: '轉出',
  领钱: '转出',
  領錢: '轉出',
  提领: '转出',
  轉帳: '轉出',
  转账: '转出',
  聯繫: '聯絡',
  投訴: '聯絡',
  投诉: '联系',
  我要: ' ',
  如何: ' ',
  怎麼: ' ',
  怎么: ' ',
}

/**
 * Words for what an article is about, which count as words of its title. A few of the Chinese ones are written alike in
 * both scripts, so they cannot be replaced by one word.
 */
const subjects: Readonly<Record<string, string>> = {
  'what-a-pledge-is': 'dividend 紅利 分红',
  'what-can-go-wrong': 'risk 風險 风险',
  'money-in-and-out': 'transfer 轉出 转出 出金 取款',
}

/**
 * Finds articles by the typed text. Latin words match as they are or by their synonyms, in any order. Chinese has no
 * spaces, so a run of characters is matched by its pairs: 忘記資金密碼 also finds 資金密碼 … 忘記. Every word and at least
 * three in five pairs must match. Matches in a title come first.
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
  const title = normalize(`${article.title} ${subjects[article.slug] ?? ''}`)
  const whole = [title, ...articleTexts(article).map(normalize)].join('\n')
  if (!words.every((word) => whole.includes(word))) return 0
  const found = pairs.filter((pair) => whole.includes(pair)).length
  if (found < pairs.length * MIN_PAIR_SHARE) return 0
  const inTitle = [...words, ...pairs].filter((piece) => title.includes(piece)).length
  return words.length + found + TITLE_WEIGHT * inTitle
}

/** Normalizes a text for comparison: one width of letters and digits, lower case. */
const normalize = (text: string): string => text.normalize('NFKC').toLowerCase()

/** Without -s and -ing, so that “fees” finds “fee” and “pledging” finds “pledge”. A short word stays as it is. */
const stem = (word: string): string => word.replace(/^([a-z]{4,})ing$|^([a-z]{2,}[^s])s$/, '$1$2')

const replaceSynonyms = (text: string): string =>
  Object.entries(chineseSynonyms).reduce(
    (replaced, [typed, used]) => replaced.replaceAll(typed, used),
    text.replace(/[a-z]+/g, (word) => synonyms[word] ?? synonyms[stem(word)] ?? stem(word)),
  )

const HAN = /\p{Script=Han}+/gu

function splitSearchText(typed: string): { words: string[]; pairs: string[] } {
  const text = replaceSynonyms(normalize(typed))
  const runs = text.match(HAN) ?? []
  return {
    words: text.replace(HAN, ' ').match(/[\p{L}\p{N}]+/gu) ?? [],
    pairs: runs.flatMap((run) =>
      run.length === 1 ? [run] : Array.from({ length: run.length - 1 }, (_, start) => run.slice(start, start + 2)),
    ),
  }
}
