import { ok, type Result, refused } from '@lode/kernel'
import { languages } from '@lode/wire'
import type { Command } from 'commander'
import {
  compareNotices,
  findRepeatedNotices,
  listPublishedNotices,
  type PreparedNotice,
  type PublishedNotice,
  prepareNotice,
  type RepeatedNotices,
  readSignedNotice,
} from '../../modules/content/index.ts'
import { storeSignedText } from '../../modules/operators/index.ts'
import { ExpectedFailure } from '../start-up.ts'
import { addSigningOptions, decide, type SigningOptions, WORKER_DOES_IT, wakeWorker } from './decide.ts'
import { describeOpenDecisions, type ListedOpenDecision, listOpenDecisions } from './open-decisions.ts'
import { type Answer, print, readTextFile } from './terminal.ts'
import { formatUtc } from './times.ts'
import { type PoolContext, withPool } from './with-database.ts'

export function addNoticeCommands(program: Command): void {
  const notice = program.command('notice').description('messages to all members')

  notice
    .command('list')
    .option('--before <number>', 'continue an earlier list')
    .description('the notices to all members, the newest first, and those that need another signature')
    .action(({ before }: { before?: string }) => {
      if (before !== undefined && !/^[1-9][0-9]{0,17}$/.test(before))
        throw new ExpectedFailure(`${before} is not a number that an earlier list printed.`)
      return withPool((context) => list(context, before === undefined ? null : BigInt(before)))
    })

  notice
    .command('preview')
    .argument('<file>', 'title and body in three languages, as JSON')
    .description('check a notice, show it as members will read it, and what it repeats; signs nothing')
    .action((file: string) => {
      const prepared = readNotice(file)
      return withPool((context) => preview(context, prepared))
    })

  addSigningOptions(
    notice
      .command('publish')
      .argument('<file>', 'title and body in three languages, as JSON')
      .option('--again', 'publish it although a notice with the same words exists')
      .description('publish a notice to all members, for good; two operators sign, each with the same file'),
  ).action((file: string, { again = false, ...options }: SigningOptions & { again?: boolean }) => {
    const prepared = readNotice(file)
    return withPool((context) => publish(context, prepared, { again, ...options }))
  })
}

function readNotice(file: string): PreparedNotice {
  const notice = prepareNotice(readTextFile(file))
  if (!notice.ok) throw new ExpectedFailure(notice.error)
  return notice.value
}

const PAGE_SIZE = 20

async function list(context: PoolContext, before: bigint | null): Promise<Result<Answer, string>> {
  const notices = await listPublishedNotices(context.db, { before, limit: PAGE_SIZE })
  const open = await listOpenDecisions(context, ['publish-notice'])
  const last = notices.at(-1)
  const next = notices.length === PAGE_SIZE && last ? last.id : null
  return ok({
    text: [
      ...describeOpenDecisions(open),
      'Published, the newest first:',
      ...(notices.length > 0 ? notices.map((notice) => `  ${describePublished(notice)}`) : ['  none']),
      ...(next === null ? [] : [`The next page: lode notice list --before ${next}`]),
    ].join('\n'),
    data: { open, notices, next },
  })
}

function describePublished({ id, at, words, planVersion, decisionId }: PublishedNotice): string {
  const what = words ? words.en.title : `Version ${planVersion} of the plan makes leaving harder`
  return `${id}  ${formatUtc(at)}  ${what}${decisionId === null ? '' : ` (decision ${decisionId})`}`
}

/** `differences`: where a half-signed notice differs from this one, by the number of its decision. */
type Found = RepeatedNotices & {
  readonly open: readonly ListedOpenDecision[]
  readonly differences: Readonly<Record<string, readonly string[]>>
}

async function findRepeated(context: PoolContext, { subject, words }: PreparedNotice): Promise<Found> {
  const repeated = await findRepeatedNotices(context.db, { words, subject, operators: context.operators })
  const open = await listOpenDecisions(context, ['publish-notice'])
  const differences: Record<string, readonly string[]> = {}
  for (const { id, subject: other, publishedHash } of open) {
    const stored = publishedHash === null ? null : await readSignedNotice(context.db, publishedHash)
    if (stored && other !== subject) differences[String(id)] = compareNotices(stored, words)
  }
  return { ...repeated, open, differences }
}

async function preview(context: PoolContext, notice: PreparedNotice): Promise<Result<Answer, string>> {
  const found = await findRepeated(context, notice)
  return ok({
    text: [...describeWords(notice), ...describeFound(notice, found)].join('\n'),
    data: { words: notice.words, textHash: notice.proposal.terms.text, ...found },
  })
}

async function publish(
  context: PoolContext,
  notice: PreparedNotice,
  { again, ...options }: SigningOptions & { again: boolean },
): Promise<Result<string, string>> {
  const found = await findRepeated(context, notice)
  if (!again && found.same.length + found.awaited.length > 0)
    return refused(['Nothing was signed.', ...describeSame(found), 'To publish it once more, add --again.'].join('\n'))
  print(...describeWords(notice), ...describeFound(notice, found))
  return decide(context, notice.proposal, options, {
    async onSigned(trx) {
      await storeSignedText(trx, notice.text)
      return wakeWorker(trx)
    },
    done: WORKER_DOES_IT,
    waiting: 'It takes another operator: the same command with the same file and another key.',
  })
}

const describeWords = ({ words }: PreparedNotice): string[] =>
  languages.flatMap((lang) => [`${lang}: ${words[lang].title}`, ...words[lang].body.map((line) => `  ${line}`)])

const describeSame = ({ same, awaited }: RepeatedNotices): string[] => [
  ...same.map(({ id, at }) => `Notice ${id} of ${formatUtc(at)} has exactly these words.`),
  ...awaited.map((id) => `Decision ${id} has two signatures for these words, and the worker publishes it.`),
]

function describeFound({ subject: own }: PreparedNotice, found: Found): string[] {
  const others = found.open.filter(({ subject }) => subject !== own)
  return [
    ...describeSame(found),
    ...found.sameTitle.map(({ id, at }) => `Notice ${id} of ${formatUtc(at)} has the same title, and other words.`),
    ...others.flatMap(({ id, signers }) => {
      const places = found.differences[String(id)] ?? []
      return [
        `Another notice needs a signature: decision ${id}, signed by ${signers.join(' and ')}.`,
        ...(places.length > 0 ? [`  It differs from this one in: ${places.join('; ')}.`] : []),
      ]
    }),
  ]
}
