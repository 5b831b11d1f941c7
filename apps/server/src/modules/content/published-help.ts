import { languages } from '@lode/wire'
import { sql } from 'kysely'
import * as z from 'zod'
import type { Database } from '../../platform/db/database.ts'
import { canonicalJson, readSignedText } from '../operators/index.ts'
import { type HelpArticle, MAX_SLUG_CHARACTERS } from './help.ts'

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

/** What prepareHelp() makes: no character in it can hide text or be obeyed by a terminal. */
const visibleText = z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u)
const spans = z.array(z.strictObject({ text: visibleText, strong: z.boolean() }))
const signedHelpSchema = z.strictObject({
  articles: z.array(
    z.strictObject({
      lang: z.enum(languages),
      slug: z
        .string()
        .max(MAX_SLUG_CHARACTERS)
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
      place: z.int().min(0).max(99),
      title: visibleText,
      blocks: z.array(
        z.discriminatedUnion('kind', [
          z.strictObject({ kind: z.literal('heading'), text: visibleText }),
          z.strictObject({ kind: z.literal('paragraph'), spans }),
          z.strictObject({ kind: z.literal('list'), ordered: z.boolean(), items: z.array(spans) }),
        ]),
      ),
    }),
  ),
})

/**
 * The articles of the half-signed decision with this text hash. Null if the text is not stored, or is not one that
 * `lode` would store: an operator's database role can store any text.
 */
export async function readSignedHelp(db: Database, textHash: string): Promise<readonly HelpArticle[] | null> {
  const text = await readSignedText(db, textHash)
  if (text === null) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  return signedHelpSchema.safeParse(parsed).data?.articles ?? null
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
