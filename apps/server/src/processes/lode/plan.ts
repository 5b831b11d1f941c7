import { assets, ok, type Result } from '@lode/kernel'
import type { Command } from 'commander'
import { inUtc } from '../../modules/operators/index.ts'
import { listVersions, preparePublication } from '../../modules/plan/index.ts'
import { type Decimals, decimalsOf } from '../../platform/config/pool-contracts.ts'
import { StartUpRefusal } from '../start-up.ts'
import { type PoolContext, withPool } from './database.ts'
import { decide, type SigningOptions, signing } from './decide.ts'
import { fileText, say } from './terminal.ts'

export function planCommands(program: Command): void {
  const plan = program.command('plan').description('what the pool sells, pays and asks for')

  signing(
    plan
      .command('publish')
      .argument('<file>')
      .option('--starts <moment>', 'such as 2027-01-31T00:00:00Z; without it, with the second signature')
      .description('publish the next version; two operators sign, each with the same file'),
  ).action((file: string, { starts, ...options }: SigningOptions & { starts?: string }) => {
    const asked = { text: fileText(file), starts: starts === undefined ? null : momentOrRefuse(starts) }
    return withPool((context) => publish(context, asked, options))
  })

  plan
    .command('list')
    .description('the versions, the newest first')
    .action(() => withPool(list))
}

async function publish(
  context: PoolContext,
  asked: { text: string; starts: Date | null },
  options: SigningOptions,
): Promise<Result<string, string>> {
  const { db, pool, contracts } = context
  const publication = await preparePublication(db, pool, decimalsOf(contracts), asked)
  if (!publication.ok) return publication
  const { question, version, changes, harder } = publication.value
  say(
    version === 1
      ? 'The first version of the plan:'
      : `What version ${version} changes against version ${version - 1}:`,
    ...changes.map(({ path, before, after }) =>
      version === 1 ? `  ${path}  ${after}` : `  ${path}  ${before ?? 'nothing'} → ${after ?? 'nothing'}`,
    ),
    ...(version === 1 ? [`From then on the database takes it that ${inTokens(decimalsOf(contracts))}.`] : []),
    ...(harder.length > 0
      ? ['It makes leaving harder, so it starts 7 days after the second signature at the earliest, because of:']
      : []),
    ...harder.map((path) => `  ${path}`),
    '',
  )
  return decide(context, question, options, {
    alsoDo: publication.value.publish,
    done: `Version ${version} is published: lode plan list shows when it starts.`,
    waiting: 'It takes another operator: the same command with the same file and another key.',
  })
}

async function list({ db, contracts }: PoolContext): Promise<Result<string, string>> {
  const versions = await listVersions(db, decimalsOf(contracts))
  if (versions.length === 0) return ok('No plan is published: nothing can be ordered.')
  return ok(
    versions
      .map(
        ({ version, standing, publishedAt, startsAt }) =>
          `${version}  ${standing}, published on ${inUtc(publishedAt)}, starts on ${inUtc(startsAt)}`,
      )
      .join('\n'),
  )
}

const inTokens = (decimals: Decimals): string =>
  assets.map((asset) => `${asset} has ${decimals[asset]} decimals`).join(', ')

/** The time must have a zone, so that a local time cannot be misread. */
function momentOrRefuse(text: string): Date {
  const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
    ? new Date(text)
    : null
  if (!moment || Number.isNaN(moment.getTime()))
    throw new StartUpRefusal(`${text} is no moment: such as 2027-01-31T00:00:00Z.`)
  return moment
}
