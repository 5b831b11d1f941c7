import { sql } from 'kysely'
import {
  type BodyOf,
  formatUtc,
  type ListedDecision,
  type OperatorChain,
  PAYOUTS_SUBJECT,
  readValidChain,
  SIGNATURES_NEEDED,
  type Verb,
  type VerifiedDecision,
} from '../../modules/operators/index.ts'
import { readPayouts } from '../../modules/payout/index.ts'
import { createPlans } from '../../modules/plan/index.ts'
import {
  deriveTransferProgress,
  isUnderReview,
  type LoadedTransfer,
  loadTransfers,
  operatorsNeeded,
  transferIdOf,
} from '../../modules/transfer/index.ts'
import { listingPayableFrom } from '../../modules/treasury/index.ts'
import { readClock } from '../../platform/clock/clock.ts'
import { decimalsOf } from '../../platform/config/pool-contracts.ts'
import { describeTransferState } from './describe-transfer-wait.ts'
import type { PoolContext } from './with-database.ts'

/** What the state of decisions depends on, beside the decisions themselves. */
type Facts = {
  readonly openIds: ReadonlySet<bigint>
  readonly now: Date
  readonly chain: OperatorChain | null
  /** The decisions about payouts: pauses and resumes. */
  readonly payouts: readonly VerifiedDecision[]
  readonly transfers: ReadonlyMap<string, LoadedTransfer>
  /** The version of the plan that each decision published. */
  readonly planVersions: ReadonlyMap<bigint, number>
  /** When each day was closed. */
  readonly closedDays: ReadonlyMap<string, Date>
}

/** Returns a function that tells what became of each of these decisions. `openIds`: those that need another signature. */
export async function readDecisionStates(
  context: PoolContext,
  decisions: readonly ListedDecision[],
  openIds: ReadonlySet<bigint>,
): Promise<(decision: ListedDecision) => string> {
  const { db, pool, operators } = context
  const chain = await readValidChain(db, pool)
  const facts: Facts = {
    openIds,
    now: await readClock(db),
    chain: chain.ok ? chain.value : null,
    payouts: (await operators.readVerified(db, [PAYOUTS_SUBJECT])).get(PAYOUTS_SUBJECT) ?? [],
    transfers: await loadReviewed(context, decisions),
    planVersions: await readPlanVersions(context, decisions),
    closedDays: await readClosedDays(context, decisions),
  }
  return (decision) => describeState(decision, facts)
}

const subjectsOf = (decisions: readonly ListedDecision[], prefix: string): string[] =>
  decisions.flatMap(({ body }) => (body?.subject.startsWith(prefix) ? [body.subject.slice(prefix.length)] : []))

async function loadReviewed({ db, operators, contracts }: PoolContext, decisions: readonly ListedDecision[]) {
  const ids = decisions.flatMap(({ body }) => (body && transferIdOf(body.subject)) ?? [])
  if (ids.length === 0) return new Map<string, LoadedTransfer>()
  const plans = createPlans({ decimals: decimalsOf(contracts), operators: null })
  const rows = await readPayouts(db, sql`where kind = 'transfer' and id = any(${ids}::uuid[])`)
  return loadTransfers(db, rows, { plans, operators })
}

async function readPlanVersions({ db }: PoolContext, decisions: readonly ListedDecision[]) {
  const { rows } = await sql<{ decision_id: bigint; version: number }>`
    select decision_id, version from lode.plan
    where decision_id = any(${decisions.map(({ id }) => id)}::bigint[])`.execute(db)
  return new Map(rows.map(({ decision_id, version }) => [decision_id, version]))
}

async function readClosedDays({ db }: PoolContext, decisions: readonly ListedDecision[]) {
  const { rows } = await sql<{ day: string; closed_at: Date }>`
    select day::text as day, closed_at from lode.production_day
    where day::text = any(${subjectsOf(decisions, 'day:')})`.execute(db)
  return new Map(rows.map(({ day, closed_at }) => [day, closed_at]))
}

function describeState(decision: ListedDecision, facts: Facts): string {
  const { id, body, signers, outcome, expiresAt } = decision
  if (outcome)
    return outcome.refusal === null
      ? `Carried out on ${formatUtc(outcome.at)}`
      : `Could not be carried out on ${formatUtc(outcome.at)}: ${outcome.refusal}`
  if (decision.isWithdrawn) return 'Withdrawn'
  if (!body || !decision.isVerified) return 'It does not count'
  if (facts.openIds.has(id)) {
    const because = describeFormer(signers)
    return `Needs another signature until ${formatUtc(expiresAt)}${because === null ? '' : `: ${because}`}`
  }
  switch (body.verb) {
    case 'init':
    case 'add':
    case 'remove':
      return describeLink(decision, body, facts)
    case 'publish': {
      const version = facts.planVersions.get(id)
      return version === undefined
        ? describeUnfinished(decision)
        : `Carried out: version ${version} of the plan is published`
    }
    case 'withdraw':
      return 'It counts: nobody can sign the decision that it withdraws'
    case 'acknowledge-restore':
      return isComplete(decision) ? 'In effect: the signer pays again after the restore' : describeUnfinished(decision)
    case 'approve':
    case 'reject':
      return describeReview(decision, facts.transfers.get(transferIdOf(body.subject) ?? ''))
    case 'approve-day': {
      const closedAt = facts.closedDays.get(body.subject.replace('day:', ''))
      if (closedAt) return `${isComplete(decision) ? 'Used' : 'Not used'}: the day closed on ${formatUtc(closedAt)}`
      return describeStanding(decision, `In effect until ${formatUtc(expiresAt)}`)
    }
    case 'pause':
      return describePause(decision, body, facts)
    case 'resume':
      return describeResume(decision)
    case 'list':
      return describeStanding(
        decision,
        `In effect: the address can be paid from ${formatUtc(listingPayableFrom(lastSignatureOf(decision)))} until ${formatUtc(expiresAt)}`,
      )
    default:
      return describeStanding(decision, 'The worker has not carried it out yet')
  }
}

const NEED_ONE: readonly Verb[] = ['pause', 'end-sessions', 'withdraw']

const neededBy = ({ body }: ListedDecision): number => (body && NEED_ONE.includes(body.verb) ? 1 : SIGNATURES_NEEDED)

const isComplete = (decision: ListedDecision): boolean => decision.signers.length >= neededBy(decision)

const lastSignatureOf = ({ at, signers }: ListedDecision): Date =>
  new Date(Math.max(at.getTime(), ...signers.map((signer) => signer.at.getTime())))

/** It counts as long as its signers are operators and it has not expired. */
function describeStanding(decision: ListedDecision, standing: string, needed = neededBy(decision)): string {
  const present = decision.signers.filter(({ isOperator }) => isOperator)
  return !decision.isExpired && present.length >= needed ? standing : describeUnfinished(decision)
}

/** Of a decision that does not count, and cannot count any more. */
function describeUnfinished({ isExpired, expiresAt, signers }: ListedDecision): string {
  if (isExpired) return `Expired on ${formatUtc(expiresAt)}`
  const because = describeFormer(signers)
  return because === null
    ? 'It cannot be signed any more: what it is about has changed'
    : `No longer counts: ${because}`
}

/** Which of the signers were removed since, so that their signatures do not count. */
function describeFormer(signers: ListedDecision['signers']): string | null {
  const former = signers.filter(({ isOperator }) => !isOperator).map(({ name }) => name)
  if (former.length === 0) return null
  return `${former.join(' and ')} ${former.length > 1 ? 'are no operators' : 'is no operator'}`
}

function describeLink(
  decision: ListedDecision,
  body: BodyOf<'init' | 'add' | 'remove'>,
  { chain }: Pick<Facts, 'chain'>,
): string {
  if (!decision.isLink || !chain) return describeUnfinished(decision)
  if (body.verb === 'init') {
    const names = body.operators.map(({ name }) => name).toSorted()
    return `In effect: ${names.join(' and ')} began the pool`
  }
  const { key, name } = body.operator
  const isOperator = chain.operators.some((operator) => operator.key === key)
  const standing = isOperator ? 'is an operator' : 'is no operator'
  return isOperator === (body.verb === 'add')
    ? `In effect: ${name} ${standing}`
    : `Replaced by a later decision: ${name} ${standing} ${isOperator ? 'again' : 'any more'}`
}

function describePause(decision: ListedDecision, body: BodyOf<'pause'>, { now, payouts }: Facts): string {
  const signedAt = lastSignatureOf(decision)
  const resume = payouts.find(
    ({ verb, signers, firstSignedAt }) =>
      verb === 'resume' && signers.length >= SIGNATURES_NEEDED && firstSignedAt > signedAt,
  )
  const until = formatUtc(body.until)
  if (resume && resume.firstSignedAt < new Date(body.until)) return `Ended by decision ${resume.id}`
  if (decision.isExpired) return `Ended on ${until} at the latest`
  return describeStanding(decision, new Date(body.until) <= now ? `Ended on ${until}` : `In effect until ${until}`)
}

function describeResume(decision: ListedDecision): string {
  const first = new Date(Math.min(...decision.signers.map(({ at }) => at.getTime())))
  const ended = `every pause that began before ${formatUtc(first)}`
  if (decision.isExpired && isComplete(decision)) return `It ended ${ended}`
  return describeStanding(decision, `In effect: it ended ${ended}`)
}

function describeReview(decision: ListedDecision, transfer: LoadedTransfer | undefined): string {
  if (!transfer) return describeStanding(decision, `In effect until ${formatUtc(decision.expiresAt)}`)
  const { state } = deriveTransferProgress(transfer)
  const needed = operatorsNeeded(transfer.row, transfer.reviewSizes)
  if (state !== 'requested' && state !== 'held' && state !== 'approved') {
    const isPaidOut = state !== 'rejected' && state !== 'cancelled'
    const isUsed = decision.body?.verb === 'approve' && isPaidOut && decision.signers.length >= needed
    const on = transfer.row.endedAt ? ` on ${formatUtc(transfer.row.endedAt)}` : ''
    return `${isUsed ? 'Used' : 'Not used'}: ${describeTransferState(state)}${on}`
  }
  const standing = isUnderReview(transfer) ? 'It counts, and the review goes on' : 'In effect: the review is over'
  return describeStanding(decision, standing, needed)
}
