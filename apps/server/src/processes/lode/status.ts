import { assets, ok, type Result } from '@lode/kernel'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { readPostedBlock } from '../../modules/custody/index.ts'
import { readSystemBalances } from '../../modules/ledger/index.ts'
import { readValidChain } from '../../modules/operators/index.ts'
import { listWaitingApplications } from '../../modules/partner/index.ts'
import { createPlans } from '../../modules/plan/index.ts'
import { readNextDay } from '../../modules/pledge/index.ts'
import { type PoolHealth, readPoolHealth } from '../../modules/pool/index.ts'
import { countWaitingTransfers, type WaitingCounts } from '../../modules/transfer/index.ts'
import { readOpenAnnouncements } from '../../modules/vault/index.ts'
import { decimalsOf, formatCoins } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { readOwnKey } from './decide.ts'
import { describeOldPin } from './describe-old-pin.ts'
import { describePayoutPause } from './describe-payout-pause.ts'
import { describeSignerProblem } from './describe-signer-problem.ts'
import { describeVaultPause } from './describe-vault-pause.ts'
import { describeOpenDecision, type ListedOpenDecision, listOpenDecisions } from './open-decisions.ts'
import type { Answer } from './terminal.ts'
import { formatAge, formatUtc } from './times.ts'
import { type PoolContext, withPool } from './with-database.ts'

export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .option('--key <file>', 'the file with your key, or LODE_OPERATOR_KEY: tells what waits for you')
    .description('what waits for you and for the others, whether everything runs, and every alarm')
    .action((options: { key?: string }) => withPool((context) => showStatus(context, options)))
}

export function addChainStatusCommand(chain: Command): void {
  chain
    .command('status')
    .description('how far the ledger has followed the chain, what the nodes answer, and why something stopped')
    .action(() => withPool(showChainStatus))
}

async function showStatus(context: PoolContext, options: { key?: string }): Promise<Result<Answer, string>> {
  const { db, operators, contracts } = context
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const ownKey = options.key || process.env.LODE_OPERATOR_KEY ? readOwnKey(options) : null
  if (ownKey && !ownKey.ok) return ownKey
  const open = await listOpenDecisions(context)
  const given = ownKey?.value.publicKey
  const isForeign = given !== undefined && (await isNoOperator(context, given))
  const own = isForeign ? undefined : given
  const health = await readPoolHealth(db, operators, contracts.vault)
  const counts = await countWaitingTransfers(db, { plans, operators })
  const next = await readNextDay(db, { plans, operators })
  const lateSince = next && next.closesAt < health.now ? next.closesAt : null
  const announcements = (await readOpenAnnouncements(db, contracts)).count
  const lastAudit = await readLastAudit(db)
  const lastAuditAt = lastAudit?.at ?? null
  const applications = await listWaitingApplications(db, operators)
  const alarms = await listAlarms(context, { health, counts, lateSince, announcements, lastAudit })
  const forMe = own === undefined ? null : open.filter(({ signerKeys }) => !signerKeys.includes(own))
  const forOthers = own === undefined ? open : open.filter(({ signerKeys }) => signerKeys.includes(own))
  return ok({
    text: [
      ...(isForeign ? ['This key is not one of the operators’: nothing waits for it, and it can sign nothing.'] : []),
      ...(forMe === null ? [] : describeSection('Waiting for your signature:', forMe)),
      ...describeSection(
        forMe === null ? 'Waiting for another operator:' : 'Waiting for the signature of another operator:',
        forOthers,
      ),
      describeReviews(counts, health.now),
      describeApplications(applications, health.now),
      ...describeHealth(health, await describePayoutPause(context)),
      lastAuditAt ? `Audit: last run ${formatAge(lastAuditAt, health.now)} ago` : 'Audit: never run',
      'Alarms:',
      ...(alarms.length > 0 ? alarms.map((alarm) => `  ${alarm}`) : ['  none']),
    ].join('\n'),
    data: {
      forMe,
      forOthers,
      reviews: counts,
      applications,
      health,
      lastAuditAt,
      alarms,
    },
  })
}

/** Before the ceremony there are no operators, and every key may be one of the first. */
async function isNoOperator({ db, pool }: PoolContext, key: string): Promise<boolean> {
  const chain = await readValidChain(db, pool)
  return chain.ok && chain.value !== null && !chain.value.operators.some((operator) => operator.key === key)
}

const describeSection = (title: string, open: readonly ListedOpenDecision[]): string[] => [
  title,
  ...(open.length > 0 ? open.map((decision) => `  ${describeOpenDecision(decision)}`) : ['  nothing']),
]

function describeReviews({ review, overdue, oldestReviewAt }: WaitingCounts, now: Date): string {
  if (review === 0) return 'Reviews: none'
  const oldest = oldestReviewAt ? `, the oldest for ${formatAge(oldestReviewAt, now)}` : ''
  return `Reviews: ${review}${oldest}, overdue ${overdue}: lode transfer list --status review`
}

function describeApplications(applications: Awaited<ReturnType<typeof listWaitingApplications>>, now: Date): string {
  const [oldest] = applications
  if (!oldest) return 'Partner applications: none'
  const age = formatAge(oldest.appliedAt, now)
  return `Partner applications: ${applications.length}, the oldest for ${age}: lode partner list`
}

function describeHealth(health: PoolHealth, payoutPause: string | null): string[] {
  const { now, worker, isWorkerAway, signer, isSignerAway, vaultPause } = health
  const seen = (at: Date | undefined, isAway: boolean) =>
    at ? `${isAway ? 'AWAY, ' : ''}reported ${formatAge(at, now)} ago` : 'AWAY, has never reported'
  return [
    `Worker: ${seen(worker?.seenAt, isWorkerAway)}`,
    `Signer: ${seen(signer?.seenAt, isSignerAway)}`,
    ...(payoutPause === null ? [] : [`Payouts: ${payoutPause}`]),
    ...(vaultPause ? [`Vault: ${describeVaultPause(vaultPause)}`] : []),
  ]
}

/** A review ends by itself after 72 hours, so its age is an alarm earlier. */
const REVIEW_ALARM_HOURS = 24
const HOUR_MS = 3_600_000
const AUDIT_ALARM_DAYS = 7
/** A round of 30 daily incremental audits, with half as much again for days without one. */
const WHOLE_AUDIT_ALARM_DAYS = 45

type AlarmFacts = {
  readonly health: PoolHealth
  readonly counts: WaitingCounts
  readonly lateSince: Date | null
  readonly announcements: number
  readonly lastAudit: LastAudit | null
}

async function listAlarms(
  context: PoolContext,
  { health, counts, lateSince, announcements, lastAudit }: AlarmFacts,
): Promise<string[]> {
  const { db, contracts } = context
  const { now, worker, isWorkerAway, stops, vaultPause } = health
  const oldPin = await describeOldPin(context)
  const signerProblem = await describeSignerProblem(db)
  const balance = await readSystemBalances(db)
  const missing = assets.filter((asset) => balance('pool:loss', asset) < 0n)
  const { oldestReviewAt } = counts
  const isReviewOld = oldestReviewAt && now.getTime() - oldestReviewAt.getTime() > REVIEW_ALARM_HOURS * HOUR_MS
  const isOlder = (at: Date, days: number) => now.getTime() - at.getTime() > days * 24 * HOUR_MS
  const isAuditOld = lastAudit && isOlder(lastAudit.at, AUDIT_ALARM_DAYS)
  const isWholeOld = lastAudit && !(lastAudit.wholeAt && !isOlder(lastAudit.wholeAt, WHOLE_AUDIT_ALARM_DAYS))
  return [
    ...stops.map(
      ({ asset, reason, since }) => `${asset ?? 'The worker'} is stopped since ${formatUtc(since)}: ${reason}`,
    ),
    ...(vaultPause ? [`The vault is ${describeVaultPause(vaultPause)}`] : []),
    ...missing.map((asset) => {
      const amount = formatCoins(contracts, asset, -balance('pool:loss', asset))
      return `${amount} is missing since a write-off and must be replaced: lode correct list`
    }),
    ...(isWorkerAway ? ['The worker does not run: nothing is credited, closed or carried out.'] : []),
    ...(isWorkerAway ? [] : describeOtherTrouble(worker?.trouble ?? null, health)),
    ...(signerProblem === null ? [] : [signerProblem]),
    ...(oldPin === null ? [] : [oldPin]),
    ...(worker?.failingJobs ?? []).map((task) => `The job ${task} failed its last try.`),
    ...(isReviewOld
      ? [`A review is ${formatAge(oldestReviewAt, now)} old. Up to decisionAbove it is paid by itself after 72 h.`]
      : []),
    ...(counts.overdue > 0 ? [`Reviews overdue: ${counts.overdue}. Only two operators end them.`] : []),
    ...(counts.check > 0
      ? [`A check of the signer holds ${counts.check} transfers: lode transfer list --status check`]
      : []),
    ...(lateSince ? [`The next day should have been closed ${formatAge(lateSince, now)} ago: lode day list`] : []),
    ...(announcements > 0
      ? [`The vault’s administrator announced calls: ${announcements}. See lode vault announcements`]
      : []),
    ...(lastAudit && lastAudit.findings > 0 ? [`The last lode audit found errors: ${lastAudit.findings}.`] : []),
    ...(lastAudit ? [] : ['lode audit has never run.']),
    ...(isAuditOld ? [`lode audit has not run for ${AUDIT_ALARM_DAYS} days.`] : []),
    ...(isWholeOld ? [`lode audit has not read all history for ${WHOLE_AUDIT_ALARM_DAYS} days.`] : []),
  ]
}

/** What else the worker reports beside the stops, which have lines of their own. */
function describeOtherTrouble(trouble: string | null, { stops }: PoolHealth): string[] {
  const others = stops.reduce(
    (text, { asset, reason }) => text.replace(asset === null ? reason : `${asset}: ${reason}`, ''),
    trouble ?? '',
  )
  const text = others.replace(/^stopped: /, '').replaceAll(/^[; ]+|[; ]+$/g, '')
  return text === '' ? [] : [`The worker reports: ${text}`]
}

/** `wholeAt`: when every row was last read, by a full audit or by as many incremental ones as read everything. */
type LastAudit = { readonly at: Date; readonly findings: number; readonly wholeAt: Date | null }

async function readLastAudit(db: Database): Promise<LastAudit | null> {
  const { rows } = await sql<LastAudit>`
    select at, findings, greatest(
      (select max(at) from lode.audit_run where not incremental),
      -- The oldest of the last 30 that advanced their checkpoint.
      (select at from lode.audit_run where incremental and findings = 0 order by id desc offset 29 limit 1)) as "wholeAt"
    from lode.audit_run order by id desc limit 1`.execute(db)
  return rows[0] ?? null
}

async function showChainStatus({ db, operators, contracts }: PoolContext): Promise<Result<Answer, string>> {
  const health = await readPoolHealth(db, operators, contracts.vault)
  const { now, worker, stops, vaultPause } = health
  const posted = await readPostedBlock(db)
  const finalBlock = lastFinalBlock(worker?.finalBlock ?? null, posted?.number ?? null)
  const behind = posted && finalBlock !== null ? finalBlock - posted.number : null
  const nodes = worker?.nodes ?? []
  const described = stops.map(({ asset, reason, since }) => ({
    asset,
    since,
    reason,
    remedy: asset === null ? 'lode chain resume WHY' : 'lode correct list says what ends it',
  }))
  return ok({
    text: [
      posted
        ? `Posted: block ${posted.number} of ${formatUtc(posted.time)}, ${formatAge(posted.time, now)} ago; custody ${posted.isChecked ? 'agrees' : 'is NOT compared'} there`
        : 'Posted: nothing yet',
      finalBlock === null
        ? 'Final: not known'
        : `Final: block ${finalBlock}${behind && behind > 0 ? `, ${behind} ahead` : ''}`,
      health.isWorkerAway
        ? `Worker: AWAY${worker ? ` since ${formatUtc(worker.seenAt)}` : ', has never reported'}`
        : `Worker: ${worker?.trouble ?? 'follows the chain'}`,
      ...nodes.map(({ name, failure }) => `Node ${name}: ${failure ?? 'answers'}`),
      ...(vaultPause ? [`The vault is ${describeVaultPause(vaultPause)}`] : []),
      ...(described.length === 0 ? [describeNoStop(health)] : []),
      ...described.flatMap(({ asset, since, reason, remedy }) => [
        `${asset ?? 'Everything'} is STOPPED since ${formatUtc(since)}: ${reason}`,
        `    ended by: ${remedy}`,
      ]),
    ].join('\n'),
    data: {
      postedBlock: posted?.number ?? null,
      postedAt: posted?.time ?? null,
      checked: posted?.isChecked ?? false,
      finalBlock,
      behind,
      workerSeenAt: worker?.seenAt ?? null,
      workerAway: health.isWorkerAway,
      trouble: worker?.trouble ?? null,
      nodes,
      stops: described,
      vaultPause,
    },
  })
}

/** The worker reports every few seconds. It posts final blocks only, so a posted block is final before it says so. */
const lastFinalBlock = <Block extends bigint | number>(reported: Block | null, posted: Block | null): Block | null =>
  reported !== null && posted !== null && posted > reported ? posted : reported

/** What keeps the worker from going on becomes a stop only if it lasts, for example two minutes. */
function describeNoStop({ vaultPause, worker, isWorkerAway }: PoolHealth): string {
  if (worker?.trouble && !isWorkerAway)
    return 'No stop is stored yet, but the worker does not go on: its line above says why.'
  if (worker?.nodes.some(({ failure }) => failure !== null) && !isWorkerAway)
    return 'No stop is stored, but not every node answers well: its line above says why.'
  return vaultPause ? 'Nothing else is stopped.' : 'Nothing is stopped.'
}
