import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ok, type Result, refused } from '@lode/kernel'
import { type Language, languages } from '@lode/wire'
import type { Command } from 'commander'
import {
  compareHelp,
  type HelpArticle,
  type HelpChanges,
  type HelpFiles,
  importHelp,
  listPublishedHelp,
  type PreparedHelp,
  type PublishedArticle,
  prepareHelp,
  readSignedHelp,
} from '../../modules/content/index.ts'
import { storeSignedText } from '../../modules/operators/index.ts'
import { ExpectedFailure } from '../start-up.ts'
import { addSigningOptions, decide, type SigningOptions, WORKER_DOES_IT, wakeWorker } from './decide.ts'
import { describeOpenDecisions, listOpenDecisions } from './open-decisions.ts'
import { type Answer, print, readTextFile } from './terminal.ts'
import { type PoolContext, withOwnerDatabase, withPool } from './with-database.ts'

const FOLDER_WORDS = `with the folders ${languages.join(', ')}, each with the same articles`

export function addHelpArticleCommands(program: Command): void {
  const help = program
    .command('help')
    .argument('[command...]', 'such as transfer list')
    .description('show the help of a command; help articles for members')
    .action((names: string[]) => findCommand(program, names).outputHelp())

  help
    .command('list')
    .description('the articles that members read, and articles that need another signature')
    .action(() => withPool(list))

  help
    .command('preview')
    .argument('<folder>', FOLDER_WORDS)
    .description('check articles, and show what publishing them would change; signs nothing')
    .action((folder: string) => {
      const prepared = prepareOrRefuse(folder)
      return withPool((context) => preview(context, prepared))
    })

  addSigningOptions(
    help
      .command('publish')
      .argument('<folder>', FOLDER_WORDS)
      .description('replace all help articles with these; two operators sign, each with the same folder'),
  ).action((folder: string, options: SigningOptions) => {
    const prepared = prepareOrRefuse(folder)
    return withPool((context) => publish(context, prepared, options))
  })

  help
    .command('import')
    .argument('<folder>', FOLDER_WORDS)
    .description('replace all help articles with these at once; only for the owner of the database')
    .action((folder: string) => {
      const files = helpFilesIn(folder)
      return withOwnerDatabase(async (db) => {
        const imported = await importHelp(db, files)
        return imported.ok ? ok(`Imported: ${imported.value} articles in ${languages.length} languages.`) : imported
      })
    })
}

function prepareOrRefuse(folder: string): PreparedHelp {
  const prepared = prepareHelp(helpFilesIn(folder))
  if (!prepared.ok) throw new ExpectedFailure(prepared.error)
  return prepared.value
}

async function list(context: PoolContext): Promise<Result<Answer, string>> {
  const articles = await listPublishedHelp(context.db)
  const open = await listOpenDecisions(context, ['publish-help'])
  const titles = articles.filter(({ lang }) => lang === 'en')
  return ok({
    text: [
      ...describeOpenDecisions(open),
      'Articles, in their order:',
      ...(titles.length > 0 ? titles.map((article) => `  ${describeArticle(article)}`) : ['  none']),
    ].join('\n'),
    data: {
      open,
      articles: titles.map(({ slug, place, decisionId }) => ({
        slug,
        place,
        decisionId,
        titles: Object.fromEntries(articles.filter((one) => one.slug === slug).map(({ lang, title }) => [lang, title])),
      })),
    },
  })
}

const describeArticle = ({ slug, title, decisionId }: PublishedArticle): string =>
  `${slug}  ${title} (${decisionId === null ? 'imported by the owner' : `decision ${decisionId}`})`

/** What these articles change against half-signed ones: the second operator sees which article differs. */
async function describeOthers(context: PoolContext, { articles, proposal }: PreparedHelp): Promise<string[]> {
  const lines: string[] = []
  for (const { id, signers, publishedHash } of await listOpenDecisions(context, ['publish-help'])) {
    if (publishedHash === null || publishedHash === proposal.terms.text) continue
    const stored = await readSignedHelp(context.db, publishedHash)
    if (stored)
      lines.push(
        `Compared with decision ${id}, signed by ${signers.join(' and ')}:`,
        ...listChanges(compareHelp(stored, articles)),
      )
  }
  return lines
}

async function preview(context: PoolContext, prepared: PreparedHelp): Promise<Result<Answer, string>> {
  const { articles, proposal } = prepared
  const others = await describeOthers(context, prepared)
  const changes = compareHelp(await listPublishedHelp(context.db), articles)
  const open = await listOpenDecisions(context, ['publish-help'])
  const touched = articles.filter(({ slug }) => isTouched(changes, slug))
  return ok({
    text: [
      ...describeChanges(changes),
      ...others,
      ...touched.flatMap(describeText),
      ...describeOpenDecisions(open),
    ].join('\n'),
    data: { textHash: proposal.terms.text, changes, articles: touched, open },
  })
}

async function publish(
  context: PoolContext,
  prepared: PreparedHelp,
  options: SigningOptions,
): Promise<Result<string, string>> {
  const { articles, proposal, text } = prepared
  const changes = compareHelp(await listPublishedHelp(context.db), articles)
  if (isEmpty(changes)) return refused('Members read exactly these articles now: nothing would change.')
  print(
    ...describeChanges(changes),
    ...(await describeOthers(context, prepared)),
    'lode help preview FOLDER shows their texts.',
    '',
  )
  return decide(context, proposal, options, {
    async onSigned(trx) {
      await storeSignedText(trx, text)
      return wakeWorker(trx)
    },
    done: WORKER_DOES_IT,
    waiting: 'It takes another operator: the same command with the same folder and another key.',
  })
}

const isEmpty = ({ added, changed, removed }: HelpChanges): boolean =>
  added.length + changed.length + removed.length === 0

const isTouched = ({ added, changed }: HelpChanges, slug: string): boolean =>
  added.includes(slug) || changed.some((one) => one.slug === slug)

function describeChanges(changes: HelpChanges): string[] {
  if (isEmpty(changes)) return ['Members read exactly these articles now: nothing would change.']
  return ['What publishing these articles changes:', ...listChanges(changes)]
}

function listChanges({ added, changed, removed }: HelpChanges): string[] {
  return [
    ...added.map((slug) => `  new: ${slug}`),
    ...changed.map(({ slug, languages: changedIn }) => `  changed: ${slug} (${changedIn.join(', ')})`),
    ...removed.map((slug) => `  removed: ${slug}`),
  ]
}

/** The article as plain text. */
const describeText = ({ lang, slug, title, blocks }: HelpArticle): string[] => [
  '',
  `${lang} ${slug}: ${title}`,
  ...blocks.flatMap((block) => {
    if (block.kind === 'heading') return [`  ${block.text}`]
    const lines = block.kind === 'list' ? block.items : [block.spans]
    return lines.map((spans) => `    ${block.kind === 'list' ? '- ' : ''}${spans.map(({ text }) => text).join('')}`)
  }),
]

function findCommand(program: Command, names: readonly string[]): Command {
  let found = program
  for (const name of names) {
    const inner = found.commands.find((command) => command.name() === name)
    if (!inner) throw new ExpectedFailure(`There is no command ${names.join(' ')}. Run: lode help`)
    found = inner
  }
  return found
}

function helpFilesIn(folder: string): HelpFiles {
  const missing = languages.filter((lang) => !existsSync(join(folder, lang)))
  if (missing.length > 0)
    throw new ExpectedFailure(
      `${folder} must have the folders ${languages.join(', ')}. It does not have ${missing.join(', ')}.`,
    )
  return Object.fromEntries(languages.map((lang) => [lang, articlesIn(join(folder, lang))])) as Record<
    Language,
    Map<string, string>
  >
}

function articlesIn(folder: string): Map<string, string> {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    throw new ExpectedFailure(`${folder} cannot be read.`)
  }
  return new Map(names.filter((name) => name.endsWith('.md')).map((name) => [name, readTextFile(join(folder, name))]))
}
