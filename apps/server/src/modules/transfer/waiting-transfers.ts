import type { Asset } from '@lode/kernel'
import { type RawBuilder, sql } from 'kysely'
import type { Address } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { readWithdrawals, type VerifiedDecision } from '../operators/index.ts'
import { type PayoutRow, readPayouts } from '../payout/index.ts'
import { type LoadedTransfer, loadTransfers, type PlansAndOperators } from './load-transfers.ts'
import { isOverdue, isUnderReview, matchesTransfer, operatorsNeeded, REVIEW_HOURS } from './rules.ts'

/** `half-signed`: an operator has decided, and another must sign too. `check`: a check of the signer failed. */
export const waitingStatuses = ['review', 'overdue', 'half-signed', 'check'] as const
type WaitingStatus = (typeof waitingStatuses)[number]

export type WaitingFilter = {
  readonly status?: WaitingStatus
  readonly asset?: Asset
  /** The address of the member's own wallet. */
  readonly member?: Address
  readonly olderThanHours?: number
  /** In smallest units. Only with `asset`. */
  readonly above?: bigint
}

export type WaitingCounts = Readonly<Record<WaitingStatus | 'all', number>> & {
  /** The request of the oldest transfer under review. */
  readonly oldestReviewAt: Date | null
}

export type WaitingPage = {
  /** Counts of all transfers that match the filter, apart from its status. */
  readonly counts: WaitingCounts
  /** How many match the whole filter. */
  readonly matching: number
  /** How many of them come before this page. */
  readonly skipped: number
  readonly transfers: readonly LoadedTransfer[]
  /** Continue after this number. Null if this is the last page. */
  readonly next: bigint | null
}

/**
 * One page of the transfers that are not signed yet, the oldest first, with counts of all of them. Only the transfers of
 * the page, and those about which operators have decided, are loaded one by one. All others are counted by PostgreSQL,
 * so the time hardly grows with their number.
 */
export async function readWaitingTransfers(
  db: Database,
  context: PlansAndOperators,
  filter: WaitingFilter,
  { after, limit }: { readonly after: bigint; readonly limit: number },
): Promise<WaitingPage> {
  const statuses = await prepareStatuses(db, context)
  const matching = await prepareFilter(db, filter)
  const counts = await countWith(db, statuses, matching)
  const wanted = sql`${matching} and ${filter.status === undefined ? sql`true` : statuses.is[filter.status]}`
  const rows = await readPayouts(
    db,
    sql`${statuses.join} where ${UNSIGNED} and ${wanted} and number > ${after} order by number limit ${limit + 1}`,
  )
  const page = rows.slice(0, limit)
  const loaded = await loadWithoutWithdrawn(db, page, context)
  const last = page.at(-1)
  return {
    counts,
    matching: counts[filter.status ?? 'all'],
    skipped: after === 0n ? 0 : await countUpTo(db, statuses, wanted, after),
    transfers: loaded,
    next: rows.length > limit && last ? last.number : null,
  }
}

/** Counts all transfers that are not signed yet. */
export const countWaitingTransfers = async (db: Database, context: PlansAndOperators): Promise<WaitingCounts> =>
  countWith(db, await prepareStatuses(db, context), sql`true`)

/** A decision about this transfer that needs another signature. */
export const findHalfSigned = ({ row, reviewSizes, decisions }: LoadedTransfer): readonly VerifiedDecision[] =>
  decisions.filter(
    (decision) => decision.signers.length < operatorsNeeded(row, reviewSizes) && matchesTransfer(decision, row),
  )

/** In a subquery, so that it is computed once for a statement and not once for each row. */
const hoursAgo = (hours: number) => sql`(select lode.now() - make_interval(hours => ${hours}))`

const UNSIGNED = sql`kind = 'transfer' and ended is null and release_number is null`

type Statuses = {
  /** SQL after `from lode.payout`: the review sizes of each transfer's plan version. */
  readonly join: RawBuilder<unknown>
  /** SQL conditions on the row of the transfer. */
  readonly is: Readonly<Record<WaitingStatus, RawBuilder<unknown>>>
}

/**
 * Prepares the statuses as SQL conditions. They repeat `rules.ts` for transfers without a decision. For the others,
 * whose signatures only this process can verify, they name the transfers that `rules.ts` gave the status.
 */
async function prepareStatuses(db: Database, context: PlansAndOperators): Promise<Statuses> {
  const decided = await loadDecided(db, context)
  const idsWith = (condition: (transfer: LoadedTransfer) => boolean) => {
    const ids = decided.filter(condition).map(({ row }) => row.id)
    return ids.length === 0 ? sql`false` : sql`payout.id = any(${ids}::uuid[])`
  }
  const isDecided = idsWith(() => true)
  const isLate = sql`requested_at <= ${hoursAgo(REVIEW_HOURS)}`
  const needsTwo = sql`(size.decision_above is null or amount > size.decision_above)`
  const hasReason = sql`(coalesce(amount > size.review_above, false)
    or member_id in (select id from lode.member where disabled_at is not null))`
  const isReview = sql`(${hasReason} and (${needsTwo} or not ${isLate}))`
  return {
    join: await joinSizes(db, context),
    is: {
      review: sql`(${idsWith(isUnderReview)} or not ${isDecided} and ${isReview})`,
      overdue: sql`(${idsWith(isOverdue)} or not ${isDecided} and ${isReview} and ${isLate})`,
      'half-signed': idsWith((transfer) => isUnderReview(transfer) && findHalfSigned(transfer).length > 0),
      check: sql`(held_check is not null or size.review_above is null)`,
    },
  }
}

/**
 * The transfers about which somebody stored a decision that has not expired. It begins with the decisions: operators
 * sign far fewer of them than there can be transfers.
 */
async function loadDecided(db: Database, context: PlansAndOperators): Promise<LoadedTransfer[]> {
  const rows = await readPayouts(
    db,
    sql`where ${UNSIGNED} and id = any(array(
      select case when subject ~ '^transfer:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(subject, 10)::uuid end
      from lode.decision where verb in ('approve', 'reject') and expires_at > ${hoursAgo(0)}))`,
  )
  return loadWithoutWithdrawn(db, rows, context)
}

/** Loads these transfers in this order. Half-signed decisions that their first signer has withdrawn are left out. */
async function loadWithoutWithdrawn(
  db: Database,
  rows: readonly PayoutRow[],
  context: PlansAndOperators,
): Promise<LoadedTransfer[]> {
  const byId = await loadTransfers(db, rows, context)
  const loaded = rows.flatMap(({ id }) => byId.get(id) ?? [])
  const halfSigned = loaded.flatMap(findHalfSigned)
  const [first] = halfSigned
  if (!first) return loaded
  // Every verified decision names this pool.
  const withdrawals = await readWithdrawals(
    db,
    first.body,
    halfSigned.map(({ id }) => id),
  )
  return loaded.map((transfer) => ({
    ...transfer,
    decisions: transfer.decisions.filter(({ id }) => withdrawals.get(id) !== 'valid'),
  }))
}

async function joinSizes(db: Database, { plans }: PlansAndOperators): Promise<RawBuilder<unknown>> {
  // Jumps from one version to the next in the index, instead of reading all transfers.
  const { rows } = await sql<{ plan_version: number }>`
    with recursive used as (
      select min(plan_version) as plan_version from lode.payout where ${UNSIGNED}
      union all
      select (select min(payout.plan_version) from lode.payout
              where ${UNSIGNED} and payout.plan_version > used.plan_version)
      from used where used.plan_version is not null)
    select plan_version from used where plan_version is not null`.execute(db)
  const sizes: { version: number; asset: string; review: string; decision: string }[] = []
  for (const { plan_version: version } of rows) {
    const plan = await plans.byVersion(db, version)
    for (const [asset, { reviewAbove, decisionAbove }] of Object.entries(plan?.transfer ?? {}))
      sizes.push({ version, asset, review: String(reviewAbove), decision: String(decisionAbove) })
  }
  return sql`left join unnest(
      ${sizes.map(({ version }) => version)}::int[], ${sizes.map(({ asset }) => asset)}::text[],
      ${sizes.map(({ review }) => review)}::numeric[], ${sizes.map(({ decision }) => decision)}::numeric[])
    as size (version, of_asset, review_above, decision_above)
    on size.version = payout.plan_version and size.of_asset = payout.asset`
}

/** The filter without its status, as an SQL condition. The member is looked up first, so that its index is used. */
async function prepareFilter(
  db: Database,
  { asset, member, olderThanHours, above }: WaitingFilter,
): Promise<RawBuilder<unknown>> {
  const conditions = [sql`true`]
  if (asset !== undefined) conditions.push(sql`asset = ${asset}`)
  if (above !== undefined) conditions.push(sql`amount > ${above}`)
  if (member !== undefined) {
    const { rows } = await sql<{ id: bigint }>`select id from lode.member where account = ${bytesOf(member)}`.execute(
      db,
    )
    conditions.push(sql`member_id = ${rows[0]?.id ?? null}`)
  }
  if (olderThanHours !== undefined) conditions.push(sql`requested_at <= ${hoursAgo(olderThanHours)}`)
  return sql.join(conditions, sql` and `)
}

/** `offset 0` keeps PostgreSQL from computing each status again wherever its name occurs. */
async function countWith(db: Database, { join, is }: Statuses, matching: RawBuilder<unknown>): Promise<WaitingCounts> {
  const { rows } = await sql<Record<'all' | 'review' | 'overdue' | 'half' | 'check', number> & { oldest: Date | null }>`
    select count(*)::int as all, count(*) filter (where review)::int as review,
           count(*) filter (where overdue)::int as overdue, count(*) filter (where half)::int as half,
           count(*) filter (where "check")::int as check, min(requested_at) filter (where review) as oldest
    from (
      select requested_at, ${is.review} as review, ${is.overdue} as overdue, ${is['half-signed']} as half,
             ${is.check} as check
      from lode.payout ${join} where ${UNSIGNED} and ${matching} offset 0) as waiting`.execute(db)
  const [row] = rows
  if (!row) throw new Error('count() returned no row')
  const { half, oldest, ...counts } = row
  return { ...counts, 'half-signed': half, oldestReviewAt: oldest }
}

async function countUpTo(
  db: Database,
  { join }: Statuses,
  wanted: RawBuilder<unknown>,
  number: bigint,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from lode.payout ${join}
    where ${UNSIGNED} and ${wanted} and number <= ${number}`.execute(db)
  return rows[0]?.count ?? 0
}
