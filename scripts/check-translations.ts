import { basename, resolve } from 'node:path'
import { findPromiseWords } from '@lode/kernel'
import { mainlandWordsIn, simplifiedCharactersIn, traditionalCharactersIn } from './chinese-script.ts'
import { readRepositoryFiles, repositoryRoot } from './repository-files.ts'

/** The catalogues of the app. They include the texts of refusals, which the server uses too. */
const languages = ['en', 'zh_tw', 'zh_cn'] as const
type Language = (typeof languages)[number]
const catalogPaths = (language: Language) =>
  [language, `member/${language}`].map((part) => `apps/web/src/shared/i18n/texts/${part}.ts`)

/** Texts that are the same in every language: names and symbols. */
const untranslated =
  /^(Lode|OneKey|Trust Wallet|Bitget Wallet|BitKeep|USDT|BTN|BTC|TH\/s|L\d|[\d\s.,:/%+×…–-]|\{\{\w+\}\})+$/

type Texts = Readonly<Record<string, string>>
export type Catalogs = Readonly<Record<Language, Texts>>

/** `{ home: { level: 'Level' } }` becomes `{ 'home.level': 'Level' }`. */
export function flattenTexts(tree: unknown, before = ''): Texts {
  if (typeof tree === 'string') return { [before]: tree }
  if (typeof tree !== 'object' || tree === null) throw new TypeError(`${before} is neither a text nor a group of texts`)
  const parts = Object.entries(tree).map(([key, value]) =>
    flattenTexts(value, before === '' ? key : `${before}.${key}`),
  )
  return Object.assign({}, ...parts) as Texts
}

/** Problems in the texts themselves. */
export function findTextProblems(catalogues: Catalogs): string[] {
  const original = catalogues.en
  return languages.flatMap((language) => {
    const texts = catalogues[language]
    const missing = Object.keys(original).filter((key) => texts[key] === undefined && !isSingular(key, texts))
    const surplus = Object.keys(texts).filter((key) => original[key] === undefined)
    return [
      ...missing.map((key) => `${language}: ${key} is missing`),
      ...surplus.map((key) => `${language}: ${key} is not in en`),
      ...Object.entries(texts).flatMap(([key, text]) =>
        checkText(language, text, original[key] ?? text).map((problem) => `${language}: ${key} ${problem}`),
      ),
    ]
  })
}

/** Chinese has no singular: where English has `_one` and `_other`, it has only `_other`. */
const isSingular = (key: string, texts: Texts): boolean =>
  key.endsWith('_one') && texts[key.replace(/_one$/, '_other')] !== undefined

function checkText(language: Language, text: string, original: string): string[] {
  const problems: string[] = []
  if (text.trim() === '') problems.push('is empty')
  if (text !== text.trim()) problems.push('begins or ends with a space')
  if (listPlaceholders(text) !== listPlaceholders(original)) {
    problems.push(
      `has the placeholders ${listPlaceholders(text) || 'none'} where en has ${listPlaceholders(original) || 'none'}`,
    )
  }
  for (const word of findPromiseWords(text)) problems.push(`promises what nobody can: ${word}`)
  if (language === 'en') return problems
  if (!/\p{Script=Han}/u.test(text) && /[A-Za-z]/.test(text) && !untranslated.test(text))
    problems.push('is not translated')
  const foreign = language === 'zh_tw' ? simplifiedCharactersIn(text) : traditionalCharactersIn(text)
  if (foreign.length > 0) problems.push(`is written with ${foreign.join('')}`)
  if (language === 'zh_tw') {
    for (const word of mainlandWordsIn(text)) problems.push(`uses a word of the mainland: ${word}`)
  }
  return problems
}

const listPlaceholders = (text: string): string =>
  Array.from(new Set(text.match(/\{\{\s*\w+[^}]*\}\}|\$\{\w+\}/g) ?? []))
    .sort()
    .join(' ')

/** Keys that no source uses, and keys that a source uses but no catalogue has. */
export function findUsageProblems(texts: Texts, sources: ReadonlyMap<string, string>): string[] {
  const keys = Object.keys(texts)
  const named = new Set<string>()
  const prefixes = new Set<string>()
  const unknown: string[] = []
  for (const [file, source] of sources) {
    for (const [, literal = ''] of source.matchAll(/['"`]([\w.-]+)['"`]/g)) named.add(literal)
    for (const [, prefix = ''] of source.matchAll(/`([\w-]+\.[\w.-]*)\$\{/g)) prefixes.add(prefix)
    for (const [, key = ''] of source.matchAll(/\b(?:t|text)\(\s*'([^']+)'/g)) {
      if (texts[key] === undefined && texts[`${key}_other`] === undefined)
        unknown.push(`${file}: there is no text ${key}`)
    }
  }
  const isUsed = (key: string) =>
    named.has(key) ||
    named.has(key.replace(/_(one|other)$/, '')) ||
    Array.from(prefixes).some((prefix) => key.startsWith(prefix))
  return [...unknown, ...keys.filter((key) => !isUsed(key)).map((key) => `${key} is not used anywhere`)]
}

/** The help articles as catalogues: each article is a text, keyed by its file name. */
export function groupArticles(files: ReadonlyMap<string, string>): Catalogs {
  const articlesIn = (language: Language): Texts =>
    Object.fromEntries(
      Array.from(files)
        .filter(([path]) => path.includes(`/${language}/`))
        .map(([path, article]) => [basename(path), article.trim()]),
    )
  return { en: articlesIn('en'), zh_tw: articlesIn('zh_tw'), zh_cn: articlesIn('zh_cn') }
}

async function loadTexts(language: Language): Promise<Texts> {
  const parts = await Promise.all(
    catalogPaths(language).map(async (path) => {
      const { texts } = (await import(resolve(repositoryRoot, path))) as { texts: unknown }
      return flattenTexts(texts)
    }),
  )
  return Object.assign({}, ...parts) as Texts
}

if (import.meta.main) {
  const catalogues = { en: await loadTexts('en'), zh_tw: await loadTexts('zh_tw'), zh_cn: await loadTexts('zh_cn') }
  const sources = readRepositoryFiles(/^apps\/web\/src\/(?!shared\/i18n\/texts\/|.*\.test\.tsx?$).*\.tsx?$/)
  const articles = groupArticles(readRepositoryFiles(/^apps\/server\/help\/\w+\/[^/]+\.md$/))
  const problems = [
    ...findTextProblems(catalogues),
    ...findUsageProblems(catalogues.en, sources),
    ...findTextProblems(articles).map((problem) => `help, ${problem}`),
  ]
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
  const [texts, written] = [catalogues.en, articles.en].map((all) => Object.keys(all).length)
  console.log(`translations: ${texts} texts and ${written} articles in ${languages.length} languages`)
}
