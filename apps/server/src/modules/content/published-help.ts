import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { canonicalJson, readSignedText } from '../operators/index.ts'
import type { HelpArticle } from './help.ts'

export type PublishedArticle = HelpArticle & {
  /** The operators' decision. Null if the owner imported it. */
  readonly decisionId: bigint | null
}

/** All articles in all languages, for the command line. */
export async function listPublishedHelp(db: Database): Promise<PublishedArticle[]> {
  const { rows } = await sql<PublishedArticle>`
    select lang, slug, place, title, blocks, decision_id as "decisionId"
    from lode.help_article order by place, slug, lang`.execute(db)
  return rows
}

/** The names of the articles that publishing these ones would change. */
export type HelpChanges = {
  readonly added: readonly string[]
  /** With the languages in which the title, the text or the position differs. */
  readonly changed: readonly { readonly slug: string; readonly languages: readonly string[] }[]
  readonly removed: readonly string[]
}

/** The articles of the half-signed decision with this text hash. Null if the text is not stored. */
export async function readSignedHelp(db: Database, textHash: string): Promise<readonly HelpArticle[] | null> {
  const text = await readSignedText(db, textHash)
  return text === null ? null : (JSON.parse(text) as { articles: readonly HelpArticle[] }).articles
}

export function compareHelp(before: readonly HelpArticle[], after: readonly HelpArticle[]): HelpChanges {
  const published = new Map(before.map((article) => [keyOf(article), contentOf(article)]))
  const slugsBefore = new Set(before.map(({ slug }) => slug))
  const slugsAfter = new Set(after.map(({ slug }) => slug))
  const changedLanguages = (slug: string): string[] =>
    after
      .filter((article) => article.slug === slug && published.get(keyOf(article)) !== contentOf(article))
      .map(({ lang }) => lang)
  return {
    added: Array.from(slugsAfter).filter((slug) => !slugsBefore.has(slug)),
    changed: Array.from(slugsAfter)
      .filter((slug) => slugsBefore.has(slug))
      .map((slug) => ({ slug, languages: changedLanguages(slug) }))
      .filter(({ languages }) => languages.length > 0),
    removed: Array.from(slugsBefore).filter((slug) => !slugsAfter.has(slug)),
  }
}

const keyOf = ({ lang, slug }: HelpArticle): string => `${lang} ${slug}`
const contentOf = ({ place, title, blocks }: HelpArticle): string => canonicalJson({ place, title, blocks })
