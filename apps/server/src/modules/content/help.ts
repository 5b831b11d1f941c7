import { createHash } from 'node:crypto'
import { ok, type Result, refused } from '@lode/kernel'
import { type Language, languages } from '@lode/wire'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { runTransaction } from '../../platform/db/transaction.ts'
import { canonicalJson, type Proposal, SIGNATURES_NEEDED } from '../operators/index.ts'
import { type Article, type ParsedArticle, parseArticle } from './article.ts'

/** The text of each help file, by language and file name. */
export type HelpFiles = Readonly<Record<Language, ReadonlyMap<string, string>>>

/** One article in one language. */
export type HelpArticle = ParsedArticle & {
  readonly lang: Language
  readonly slug: string
  readonly place: number
}

const FILE_NAME_PATTERN = /^(\d{2})-([a-z0-9]+(?:-[a-z0-9]+)*)\.md$/
const MAX_ARTICLES = 60
/** The table of articles has the same limit. */
export const MAX_SLUG_CHARACTERS = 60

/** Each article must exist in every language under the same name. Returns the articles, or all errors at once. */
function parseHelp(files: HelpFiles): Result<HelpArticle[], string> {
  const problems: string[] = []
  const articles: HelpArticle[] = []
  const names = Array.from(new Set(languages.flatMap((lang) => Array.from(files[lang].keys())))).toSorted()
  const nameOf = new Map<string, string>()
  if (names.length === 0) problems.push('there is no article')
  if (names.length > MAX_ARTICLES) problems.push(`there are more than ${MAX_ARTICLES} articles`)
  for (const name of names) {
    const [, place, slug = ''] = FILE_NAME_PATTERN.exec(name) ?? []
    if (place === undefined) problems.push(`${name}: is not a valid file name, such as 01-what-a-pledge-is.md`)
    if (slug.length > MAX_SLUG_CHARACTERS)
      problems.push(`${name}: has a name of more than ${MAX_SLUG_CHARACTERS} characters`)
    const twin = slug === '' ? undefined : nameOf.get(slug)
    if (twin !== undefined) problems.push(`${name}: has the same name as ${twin}, with another number`)
    nameOf.set(slug, name)
    for (const lang of languages) {
      const text = files[lang].get(name)
      const article = text === undefined ? refused(['is missing']) : parseArticle(text)
      if (article.ok) articles.push({ ...article.value, lang, slug, place: Number(place) })
      else problems.push(...article.error.map((problem) => `${lang}/${name}: ${problem}`))
    }
  }
  return problems.length === 0
    ? ok(articles)
    : refused(['The help has errors:', ...problems.map((one) => `  ${one}`)].join('\n'))
}

/** Replaces all articles without signatures, for the owner at set-up. Returns the number of articles. */
export async function importHelp(db: Database, files: HelpFiles): Promise<Result<number, string>> {
  const articles = parseHelp(files)
  if (!articles.ok) return articles
  return runTransaction(db, async (trx) => {
    await sql`delete from lode.help_article`.execute(trx)
    for (const { lang, slug, place, title, blocks } of articles.value)
      await sql`
        insert into lode.help_article (lang, slug, place, title, blocks)
        values (${lang}, ${slug}, ${place}, ${title}, ${JSON.stringify(blocks)})`.execute(trx)
    return ok(articles.value.length / languages.length)
  })
}

export type PreparedHelp = {
  readonly proposal: Proposal<'publish-help'>
  readonly articles: readonly HelpArticle[]
  /** What is signed: all articles. */
  readonly text: string
}

const WEEK_HOURS = 7 * 24
/** The table of signed texts has the same limit. */
const MAX_SIGNED_CHARACTERS = 1_000_000

/** Prepares the articles that two operators are to sign, or returns why they cannot be published. */
export function prepareHelp(files: HelpFiles): Result<PreparedHelp, string> {
  const parsed = parseHelp(files)
  if (!parsed.ok) return parsed
  const text = canonicalJson({ articles: parsed.value })
  if (text.length > MAX_SIGNED_CHARACTERS)
    return refused(`All articles together have more than ${MAX_SIGNED_CHARACTERS} characters. Nothing was signed.`)
  const hash = createHash('sha256').update(text, 'utf8').digest('hex')
  return ok({
    articles: parsed.value,
    text,
    proposal: {
      verb: 'publish-help',
      subject: 'help',
      terms: { text: hash },
      needed: SIGNATURES_NEEDED,
      validHours: WEEK_HOURS,
    },
  })
}

/** All articles of a language, in order. The import limits their number, so no pages are needed. */
export async function readHelp(db: Database, lang: Language): Promise<Article[]> {
  const { rows } = await sql<Article>`
    select slug, title, blocks from lode.help_article where lang = ${lang} order by place, slug`.execute(db)
  return rows
}
