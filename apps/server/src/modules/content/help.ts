import { ok, type Result, refused } from '@lode/kernel'
import { type Language, languages } from '@lode/wire'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { runTransaction } from '../../platform/db/transaction.ts'
import { type Article, type ParsedArticle, parseArticle } from './article.ts'

/** The text of each help file, by language and file name. */
export type HelpFiles = Readonly<Record<Language, ReadonlyMap<string, string>>>

const FILE_NAME_PATTERN = /^(\d{2})-([a-z0-9]+(?:-[a-z0-9]+)*)\.md$/
const MAX_ARTICLES = 60

/**
 * Replaces all articles. Each article must exist in every language under the same name, otherwise nothing is changed.
 * Returns the number of articles, or all errors at once.
 */
export async function importHelp(db: Database, files: HelpFiles): Promise<Result<number, string>> {
  const problems: string[] = []
  const articles: (ParsedArticle & { lang: Language; slug: string; place: number })[] = []
  const names = new Set(languages.flatMap((lang) => Array.from(files[lang].keys())))
  if (names.size === 0) problems.push('there is no article')
  if (names.size > MAX_ARTICLES) problems.push(`there are more than ${MAX_ARTICLES} articles`)
  for (const name of names) {
    const [, place, slug = ''] = FILE_NAME_PATTERN.exec(name) ?? []
    if (place === undefined) problems.push(`${name}: is not a valid file name, such as 01-what-a-pledge-is.md`)
    for (const lang of languages) {
      const text = files[lang].get(name)
      const article = text === undefined ? refused(['is missing']) : parseArticle(text)
      if (article.ok) articles.push({ ...article.value, lang, slug, place: Number(place) })
      else problems.push(...article.error.map((problem) => `${lang}/${name}: ${problem}`))
    }
  }
  if (problems.length > 0)
    return refused(['The help cannot be imported:', ...problems.map((one) => `  ${one}`)].join('\n'))
  return runTransaction(db, async (trx) => {
    await sql`delete from lode.help_article`.execute(trx)
    for (const { lang, slug, place, title, blocks } of articles)
      await sql`
        insert into lode.help_article (lang, slug, place, title, blocks)
        values (${lang}, ${slug}, ${place}, ${title}, ${JSON.stringify(blocks)})`.execute(trx)
    return ok(names.size)
  })
}

/** All articles of a language, in order. The import limits their number, so no pages are needed. */
export async function readHelp(db: Database, lang: Language): Promise<Article[]> {
  const { rows } = await sql<Article>`
    select slug, title, blocks from lode.help_article where lang = ${lang} order by place, slug`.execute(db)
  return rows
}
