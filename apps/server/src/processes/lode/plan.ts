import { assets, type Result } from '@lode/kernel'
import type { Command } from 'commander'
import { listVersions, preparePublication } from '../../modules/plan/index.ts'
import { type Decimals, decimalsOf } from '../../platform/config/pool-contracts.ts'
import { ExpectedFailure } from '../start-up.ts'
import { addSigningOptions, decide, type SigningOptions, wakeWorker } from './decide.ts'
import { addPlanReadCommands, describeChange, describeReviewGaps } from './plan-read.ts'
import { print, readTextFile } from './terminal.ts'
import { formatUtc } from './times.ts'
import { type PoolContext, withPool } from './with-database.ts'

export function addPlanCommands(program: Command): void {
  const plan = program.command('plan').description('the plan: prices, ratios, fees and quotas')
  addPlanReadCommands(plan)

  addSigningOptions(
    plan
      .command('publish')
      .argument('<file>')
      .option('--starts <moment>', 'such as 2027-01-31T00:00:00Z; without it, with the second signature')
      .description('publish the next version; two operators sign, each with the same file'),
  ).action((file: string, { starts, ...options }: SigningOptions & { starts?: string }) => {
    const request = { text: readTextFile(file), starts: starts === undefined ? null : timeOrRefuse(starts) }
    return withPool((context) => publish(context, request, options))
  })
}

async function publish(
  context: PoolContext,
  request: { text: string; starts: Date | null },
  options: SigningOptions,
): Promise<Result<string, string>> {
  const { db, pool, contracts } = context
  const publication = await preparePublication(db, pool, decimalsOf(contracts), request)
  if (!publication.ok) return publication
  const { proposal, version, changes, harder } = publication.value
  const coming = (await listVersions(db, decimalsOf(contracts))).filter(({ standing }) => standing === 'coming')
  print(
    version === 1
      ? 'The first version of the plan:'
      : `What version ${version} changes against version ${version - 1}:`,
    ...changes.map((change) => (version === 1 ? `  ${change.path}  ${change.after}` : `  ${describeChange(change)}`)),
    ...(version === 1
      ? [`From this version on the database assumes that ${describeDecimals(decimalsOf(contracts))}.`]
      : []),
    ...(harder.length > 0
      ? ['It starts 7 days after the second signature at the earliest, because these values make leaving harder:']
      : []),
    ...harder.map((path) => `  ${path}`),
    ...describeReviewGaps(decimalsOf(contracts), request.text),
    ...coming.map(
      (one) =>
        `Version ${one.version} starts on ${formatUtc(one.startsAt)}. If this one starts before, version ${one.version} never comes into force.`,
    ),
    '',
  )
  return decide(context, proposal, options, {
    async onSigned(trx, decided) {
      const published = await publication.value.publish(trx, decided)
      return published.ok ? wakeWorker(trx) : published
    },
    done: `Version ${version} is published within a minute: lode plan list shows when it starts.`,
    waiting: 'It takes another operator: the same command with the same file and another key.',
  })
}

const describeDecimals = (decimals: Decimals): string =>
  assets.map((asset) => `${asset} has ${decimals[asset]} decimals`).join(', ')

/** Refuses a time without a time zone, because operators could read it as different local times. */
function timeOrRefuse(text: string): Date {
  const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
    ? new Date(text)
    : null
  if (!moment || Number.isNaN(moment.getTime()))
    throw new ExpectedFailure(`${text} is not a time such as 2027-01-31T00:00:00Z.`)
  return moment
}
