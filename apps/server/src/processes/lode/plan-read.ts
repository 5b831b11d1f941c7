import { ok, type Result, refused } from '@lode/kernel'
import type { PlanStanding } from '@lode/wire'
import type { Command } from 'commander'
import {
  compareComingPlans,
  comparePlanFile,
  type Difference,
  findReviewGaps,
  listPlanValues,
  listVersions,
  type PlanComparison,
} from '../../modules/plan/index.ts'
import { type Decimals, decimalsOf } from '../../platform/config/pool-contracts.ts'
import { type Answer, readTextFile } from './terminal.ts'
import { formatUtc } from './times.ts'
import { type PoolContext, withPool } from './with-database.ts'

/** The commands that read the plan and sign nothing. */
export function addPlanReadCommands(plan: Command): void {
  plan
    .command('list')
    .description('the versions, the newest first')
    .action(() => withPool(list))

  plan
    .command('show')
    .argument('[version]', 'its number, as lode plan list shows it; without it, the version in force')
    .description('every value of one version')
    .action((version: string | undefined) => withPool((context) => show(context, version)))

  plan
    .command('diff')
    .argument('[file]', 'a plan that is not published yet; without it, the coming version')
    .description('compare a file with the plan in force and with the coming one, or the coming one with that in force')
    .action((file: string | undefined) => {
      const text = file === undefined ? null : readTextFile(file)
      return withPool((context) => (text === null ? diffComing(context) : diffFile(context, text)))
    })
}

type Version = Awaited<ReturnType<typeof listVersions>>[number]

const summaryOf = ({ version, standing, publishedAt, startsAt }: Version) => ({
  version,
  standing,
  publishedAt,
  startsAt,
})

const standingWords: Readonly<Record<PlanStanding, string>> = {
  coming: 'coming',
  current: 'in force',
  past: 'no longer in force',
  overtaken: 'replaced before it came into force',
}

const describeVersion = ({ version, standing, publishedAt, startsAt }: Version): string =>
  `${version}  ${standingWords[standing]}, published on ${formatUtc(publishedAt)}, ${describeStart(standing, startsAt)}`

function describeStart(standing: PlanStanding, startsAt: Date): string {
  if (standing === 'overtaken') return 'never starts'
  return `${standing === 'coming' ? 'starts' : 'started'} on ${formatUtc(startsAt)}`
}

const NO_PLAN = 'No plan is published: nothing can be ordered.'

async function list({ db, contracts }: PoolContext): Promise<Result<Answer, string>> {
  const versions = await listVersions(db, decimalsOf(contracts))
  return ok({
    text: versions.length > 0 ? versions.map(describeVersion).join('\n') : NO_PLAN,
    data: { versions: versions.map(summaryOf) },
  })
}

async function show({ db, contracts }: PoolContext, version: string | undefined): Promise<Result<Answer, string>> {
  const versions = await listVersions(db, decimalsOf(contracts))
  if (versions.length === 0) return refused(NO_PLAN)
  const shown = versions.find((one) =>
    version === undefined ? one.standing === 'current' : String(one.version) === version,
  )
  if (!shown)
    return refused(
      version === undefined
        ? 'No version is in force yet. Name a number of: lode plan list'
        : `There is no version ${version}. lode plan list`,
    )
  return ok({
    text: [
      `Version ${describeVersion(shown)}`,
      ...listPlanValues(shown.written).map(({ path, after }) => `  ${path}  ${after ?? ''}`),
    ].join('\n'),
    data: { ...summaryOf(shown), plan: shown.written },
  })
}

async function diffFile({ db, contracts }: PoolContext, text: string): Promise<Result<Answer, string>> {
  const compared = await comparePlanFile(db, decimalsOf(contracts), text)
  if (!compared.ok) return compared
  const gaps = describeReviewGaps(decimalsOf(contracts), text)
  if (compared.value.length === 0)
    return ok({
      text: ['No version is published: there is nothing to compare it with.', ...gaps].join('\n'),
      data: { comparisons: [] },
    })
  return ok({
    text: [...compared.value.flatMap((one) => describeComparison('The file', one)), ...gaps].join('\n'),
    data: { comparisons: compared.value.map(comparisonData) },
  })
}

async function diffComing({ db, contracts }: PoolContext): Promise<Result<Answer, string>> {
  const compared = await compareComingPlans(db, decimalsOf(contracts))
  return ok({
    text:
      compared.length === 0
        ? 'No version is coming.'
        : compared
            .flatMap(({ coming, comparison }) => {
              const what = `Version ${coming.version}, from ${formatUtc(coming.startsAt)} on,`
              return comparison
                ? describeComparison(what, comparison)
                : [`${what} has nothing to be compared with: no version is in force.`]
            })
            .join('\n'),
    data: {
      comparisons: compared.map(({ coming, comparison }) => ({
        coming: summaryOf(coming),
        ...(comparison ? comparisonData(comparison) : { against: null, changes: [], harder: [] }),
      })),
    },
  })
}

const comparisonData = ({ against, changes, harder }: PlanComparison) => ({
  against: summaryOf(against),
  changes,
  harder,
})

function describeComparison(what: string, { against, changes, harder }: PlanComparison): string[] {
  const other = `version ${against.version}, which is ${standingWords[against.standing]}`
  if (changes.length === 0) return [`${what} is the same as ${other}.`]
  return [
    `${what} changes this against ${other}:`,
    ...changes.map(
      (change) => `  ${describeChange(change)}${harder.includes(change.path) ? '  (leaving is harder)' : ''}`,
    ),
    ...(harder.length > 0 ? ['  So it starts 7 days after the second signature at the earliest.'] : []),
  ]
}

/** Warns of a plan by which one operator, or time, ends every review. */
export const describeReviewGaps = (decimals: Decimals, text: string): string[] =>
  findReviewGaps(decimals, text).map(
    (asset) =>
      `NOTE: no transfer of ${asset} needs two operators, because its decisionAbove is not below the highest quota.`,
  )

export const describeChange = ({ path, before, after }: Difference): string =>
  `${path}  ${before ?? 'nothing'} → ${after ?? 'nothing'}`
