import { type DayNumber, dayNumber, entitled, formatAmount, type Units, units } from '@lode/kernel'
import { type DataOf, type evidenceStates, type OrderFailure, orderTypes, type pledgeStatuses } from '@lode/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { readInSnapshot } from '../../platform/db/read-in-snapshot.ts'
import { cutPage, type Page, rowsToRead } from '../../platform/http/page.ts'
import { readBalances } from '../ledger/index.ts'
import { type OrderDisplayOptions, readOpenOrder } from '../orders/index.ts'
import type { Plan } from '../plan/index.ts'
import { SATOSHI_DECIMALS } from './evidence.ts'
import { type CloseDependencies, readNextDay } from './next-day.ts'
import { dayOfTerm, firstDayAfter } from './rules.ts'

export type PledgeDisplayOptions = CloseDependencies & { readonly orders: OrderDisplayOptions }

type Overview = DataOf<'pledge/overview'>

/** Weights are in ten-thousandths of a BTN. */
const WEIGHT_DECIMALS = 4
export const formatWeight = (weight: bigint): string => formatAmount(weight as Units<'BTN'>, WEIGHT_DECIMALS)

export const formatBtc = (amount: bigint, { BTC }: Decimals): string => formatAmount(units('BTC', amount), BTC)
export const formatBtn = (amount: bigint, { BTN }: Decimals): string => formatAmount(units('BTN', amount), BTN)

export async function readOverview(
  db: Database,
  member: bigint,
  plan: Plan | null,
  showing: PledgeDisplayOptions,
): Promise<Overview> {
  const { decimals } = showing.orders
  // Read before the pledges. If the order is settled in between, the answer has both the order and its pledge. In the
  // other sequence it would have neither.
  const open = await readOpenOrder(db, member, orderTypes.pledge, showing.orders)
  const { now, today, last, ...facts } = await readInSnapshot(db, (snapshot) => readFacts(snapshot, member))
  const held = (await readBalances(db, member)).BTN
  const ownLast = last && (await readMemberDays(db, member, { before: BigInt(last.day) + 1n, limit: 1 }))[0]
  return {
    at: now.toISOString(),
    today,
    pledged: formatBtn(held.pledged, decimals),
    effective: formatWeight(BigInt(facts.effective)),
    totalEffective: formatWeight(BigInt(facts.total)),
    starting: formatWeight(BigInt(facts.starting)),
    produced: formatBtc(BigInt(facts.produced), decimals),
    collected: formatBtc(BigInt(facts.collected), decimals),
    last: last && {
      day: last.day,
      shared: formatBtc(last.shared, decimals),
      closedAt: last.closedAt.toISOString(),
      amount: formatBtc(ownLast?.day === last.day ? ownLast.amount : 0n, decimals),
    },
    available: formatBtn(held.available, decimals),
    plan: plan && {
      version: plan.version,
      above: formatBtn(plan.pledgeAbove, decimals),
      terms: [...plan.pledgeTerms],
      startDay: firstDayAfter(now, last?.day ?? null),
    },
    open,
  }
}

type LastDay = { readonly day: DayNumber; readonly shared: bigint; readonly closedAt: Date }

const SHARED_AMOUNT = sql`case when weight > 0 then admitted + from_carry else 0 end`

/** One row with the last closed day. Its columns are null if there is none. */
const LAST_CLOSED_DAY = sql`
  (values (1)) as one
  left join lateral (
    select day, weight, closed_at, ${SHARED_AMOUNT} as shared from lode.production_day order by day desc limit 1
  ) last on true`

/** The weight that runs today: the weight of the last closed day and all changes since. */
const RUNNING_WEIGHT = sql`(coalesce(last.weight, 0) + coalesce((
  select sum(started - ended) from lode.pledge_change
  where day > coalesce(last.day, 0) and day <= lode.day_of(lode.now())), 0))`

/**
 * A member's pledges, a row for all that have the same weight and the same days: each of them gets the same dividends,
 * so that they are computed once for all.
 */
const groupedPledges = (member: bigint, condition = sql``): RawBuilder<unknown> => sql`
  select weight, start_day, end_day, count(*) as pledges, sum(paid) as paid, lode.per_weight_at(start_day - 1) as base
  from lode.pledge where member_id = ${member} ${condition} group by weight, start_day, end_day`

const NOT_SETTLED = sql`and settled_at is null`

/** What one pledge of a row of groupedPledges() has earned, in smallest units. As entitled() of the kernel. */
const EARNED_BY_ONE = sql`div(weight * (lode.per_weight_at(end_day - 1) - base), 1e36::numeric)`

/** `produced` has no settled pledges, because they get no further dividend. `collected` counts them too. */
async function readFacts(snapshot: Database, member: bigint) {
  const { rows } = await sql<{
    now: Date
    today: number
    last_day: number | null
    shared: string | null
    closed_at: Date | null
    total: string
    collected: string
    effective: string
    starting: string
    produced: string
  }>`
    select lode.now() as now, lode.day_of(lode.now()) as today, last.day as last_day, last.shared, last.closed_at,
           ${RUNNING_WEIGHT} as total,
           coalesce((select paid from lode.dividend_tally where member_id = ${member}), 0) as collected,
           own.effective, own.starting, own.produced
    from ${LAST_CLOSED_DAY}
    cross join lateral (
      select coalesce(sum(pledges * weight) filter (where start_day <= today and today < end_day), 0) as effective,
             coalesce(sum(pledges * weight) filter (where start_day > today), 0) as starting,
             coalesce(sum(pledges * ${EARNED_BY_ONE} - paid), 0) as produced
      from (${groupedPledges(member, NOT_SETTLED)}) pledge, lode.day_of(lode.now()) today
    ) own`.execute(snapshot)
  const [row] = rows
  if (!row) throw new Error('the query for the pledge overview returned no row')
  const { last_day: day, shared, closed_at: closedAt } = row
  const last: LastDay | null =
    day === null || shared === null || closedAt === null
      ? null
      : { day: dayNumber(day), shared: BigInt(shared), closedAt }
  return { ...row, today: dayNumber(row.today), last }
}

// ---- records --------------------------------------------------------------------------------------------------------

type Status = (typeof pledgeStatuses)[number]

/** SQL conditions, because no column holds the status. statusOf() must agree with them. */
const statusConditions = {
  failed: sql`and pay_order.ended = 'failed'`,
  payment: sql`and pay_order.ended is null and seen.tx is null`,
  confirm: sql`and pay_order.ended is null and seen.tx is not null`,
  enable: sql`and pledge.returned_at is null and pledge.id is not null`,
  close: sql`and pledge.returned_at is not null`,
} as const satisfies Record<Status, RawBuilder<unknown>>

/** A member's pledge orders with their pledges, newest first. */
export async function listRecords(
  db: Database,
  member: bigint,
  { status, before, limit }: Page & { readonly status?: Status },
  decimals: Decimals,
): Promise<DataOf<'pledge/records'>> {
  const { rows } = await sql<RecordRow>`
    select pay_order.id, pay_order.number, pay_order.amount, pay_order.weight,
           pay_order.term_days, pay_order.term_weight, pay_order.made_at, pay_order.ended, pay_order.failure,
           pay_order.balance_part, seen.tx is not null as is_seen,
           lode.day_of(lode.now()) as today, pledge.start_day, pledge.end_day, pledge.returned_at, pledge.settled_at,
           coalesce(pledge.paid, 0) as paid, coalesce(lode.per_weight_at(pledge.start_day - 1), 0) as base,
           coalesce(lode.per_weight_at(pledge.end_day - 1), 0) as present
    from lode.pay_order
    left join lode.pledge on pledge.id = pay_order.id
    left join lateral (select tx from lode.order_seen where order_seen.order_id = pay_order.id) seen on true
    where pay_order.member_id = ${member} and pay_order.type = ${orderTypes.pledge}
      ${status === undefined ? sql`` : statusConditions[status]}
      ${before === undefined ? sql`` : sql`and pay_order.number < ${before}`}
    order by pay_order.number desc limit ${rowsToRead(limit)}`.execute(db)
  const { page, next } = cutPage(rows, limit, ({ number }) => number)
  return {
    items: page.map((row) => formatRecord(row, decimals)),
    next,
  }
}

type RecordRow = {
  id: string
  number: bigint
  amount: string
  weight: string
  term_days: number
  term_weight: number
  made_at: Date
  ended: 'success' | 'failed' | null
  failure: OrderFailure | null
  balance_part: string
  is_seen: boolean
  today: number
  start_day: number | null
  end_day: number | null
  returned_at: Date | null
  settled_at: Date | null
  paid: string
  base: string
  present: string
}

function formatRecord(row: RecordRow, decimals: Decimals) {
  const weight = BigInt(row.weight)
  const paid = BigInt(row.paid)
  const earned = entitled({ weight, from: BigInt(row.base), to: BigInt(row.present) })
  return {
    ...({ id: row.id, type: 'pledge', source: 'pledge', status: statusOf(row), symbol: 'BTN' } as const),
    amount: formatBtn(BigInt(row.amount), decimals),
    effective: formatWeight(weight),
    termWeight: row.term_weight,
    at: row.made_at.toISOString(),
    startDay: row.start_day,
    endDay: row.end_day,
    days: row.term_days,
    day: row.start_day === null ? 0 : dayOfTerm(dayNumber(row.today), dayNumber(row.start_day), row.term_days),
    produced: formatBtc(row.start_day === null ? 0n : earned - paid, decimals),
    collected: formatBtc(paid, decimals),
    returnedAt: row.returned_at?.toISOString() ?? null,
    settledAt: row.settled_at?.toISOString() ?? null,
    failure: row.failure,
    balancePart: formatBtn(BigInt(row.balance_part), decimals),
    payAmount: formatBtn(BigInt(row.amount) - BigInt(row.balance_part), decimals),
  }
}

function statusOf({ ended, is_seen: isSeen, returned_at: returnedAt }: RecordRow): Status {
  if (ended === 'failed') return 'failed'
  if (ended === null) return isSeen ? 'confirm' : 'payment'
  return returnedAt ? 'close' : 'enable'
}

// ---- days -----------------------------------------------------------------------------------------------------------

/** A member's share of each closed day: how much the entitlements of its pledges grew on that day, added up. */
async function readMemberDays(db: Database, member: bigint, { before, limit }: Page) {
  const { rows } = await sql<{ day: number; total: string; weight: string; amount: string }>`
    with own as materialized (${groupedPledges(member)})
    select closed.day, closed.weight as total, line.weight, line.amount
    from lode.production_day closed
    cross join lateral (
      select sum(own.pledges * own.weight) as weight,
             sum(own.pledges * (div(own.weight * (closed.per_weight - own.base), 1e36::numeric)
                                - div(own.weight * (closed.per_weight - closed.quotient - own.base), 1e36::numeric)))
               as amount
      from own where own.start_day <= closed.day and closed.day < own.end_day
    ) line
    where line.weight is not null ${before === undefined ? sql`` : sql`and closed.day < ${before}`}
    order by closed.day desc limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/** What a member can collect of the dividends of its pledges, in smallest units. Part of a larger statement. */
export const dueDividendsSql = (member: bigint): RawBuilder<unknown> => sql`(
  select coalesce(sum(pledges * ${EARNED_BY_ONE} - paid), 0)
  from (${groupedPledges(member, NOT_SETTLED)}) pledge)`

export type LastShare = {
  readonly day: number
  readonly closedAt: string
  readonly shared: string
  readonly total: string
  readonly weight: string
  readonly amount: string
  readonly pledges: number
}

/**
 * The last closed day and a member's share of it, as readMemberDays() computes it: a LastShare as a JSON value of a
 * larger statement, null before the first close. It reads the pledges that ran on that day or later.
 */
export const lastShareSql = (member: bigint): RawBuilder<unknown> => sql`(
  select jsonb_build_object('day', last.day, 'closedAt', last.closed_at, 'shared', last.shared::text,
                            'total', last.weight::text, 'weight', coalesce(sum(own.pledges * own.weight), 0)::text,
                            'amount', coalesce(sum(own.pledges * (
                                div(own.weight * (last.per_weight - own.base), 1e36::numeric)
                                - div(own.weight * (last.per_weight - last.quotient - own.base), 1e36::numeric))), 0)::text,
                            'pledges', coalesce(sum(own.pledges), 0))
  from (
    select day, closed_at, weight, per_weight, quotient, ${SHARED_AMOUNT} as shared
    from lode.production_day order by day desc limit 1
  ) last
  left join lateral (
    ${groupedPledges(member, sql`and start_day <= last.day and last.day < end_day`)}
  ) own on true
  group by last.day, last.closed_at, last.shared, last.weight)`

/**
 * The first day of a member's earliest pledge while none of its pledges has had a closed day, otherwise null. Part of a
 * larger statement. It reads the pledges that are not settled and at most one other.
 */
export const countsFromSql = (member: bigint): RawBuilder<unknown> => sql`(
  select min(start_day) from lode.pledge where member_id = ${member} and settled_at is null
  having min(start_day) > coalesce((select max(day) from lode.production_day), -1)
    and not exists (
      select from lode.pledge
      where member_id = ${member} and end_day <= coalesce((select max(day) from lode.production_day), -1) + 1))`

/** A member's shares of closed days, newest first. */
export async function listMemberDays(
  db: Database,
  member: bigint,
  { before, limit }: Page,
  decimals: Decimals,
): Promise<DataOf<'pledge/days'>> {
  const lines = await readMemberDays(db, member, {
    ...(before === undefined ? {} : { before }),
    limit: rowsToRead(limit),
  })
  const { page, next } = cutPage(lines, limit, ({ day }) => day)
  return {
    items: page.map(({ day, weight, total, amount }) => ({
      day,
      weight,
      totalWeight: total,
      amount: formatBtc(amount, decimals),
    })),
    next,
  }
}

/** The public table of closed days, newest first. */
export async function listDays(
  db: Database,
  { before, limit }: Page,
  decimals: Decimals,
): Promise<DataOf<'pool/days'>> {
  const { rows } = await sql<{
    day: number
    closed_at: Date
    figures: Record<'F' | 'X' | 'T' | 'C' | 'Z' | 'S' | 'q' | 'A' | 'R', string>
    fundings: {
      tx: string
      day: number
      amount: string
      bitcoin_tx: string
      bitcoin_output: number
      evidence: (typeof evidenceStates)[number]
      satoshis: string | null
    }[]
  }>`
    select day, closed_at,
           jsonb_build_object('F', admitted::text, 'X', above::text, 'T', from_carry::text, 'C', carry::text, 'Z', freed::text,
                              'S', weight::text, 'q', quotient::text, 'A', per_weight::text, 'R', remainder::text) as figures,
           (select coalesce(jsonb_agg(jsonb_build_object(
                     'tx', '0x' || encode(given.tx, 'hex'), 'day', given.day, 'amount', given.amount::text,
                     'bitcoin_tx', encode(given.bitcoin_txid, 'hex'), 'bitcoin_output', given.bitcoin_output,
                     'evidence', coalesce(looked.result, 'unchecked'), 'satoshis', looked.bitcoin_value::text)
                   order by given.block_number, given.log_index), '[]')
            from lode.day_funding used join lode.dividend_funding given using (tx, log_index)
              left join lode.evidence_check looked using (tx, log_index)
            where used.day = production_day.day) as fundings
    from lode.production_day
    ${before === undefined ? sql`` : sql`where day < ${before}`}
    order by day desc limit ${rowsToRead(limit)}`.execute(db)
  const { page, next } = cutPage(rows, limit, ({ day }) => day)
  return {
    items: page.map(({ day, closed_at: closedAt, figures, fundings }) => {
      const { F, X, T, C, ...scaled } = figures
      const btc = (text: string) => formatBtc(BigInt(text), decimals)
      return {
        day,
        closedAt: closedAt.toISOString(),
        fundings: fundings.map(
          ({ bitcoin_tx: bitcoinTx, bitcoin_output: bitcoinOutput, amount, satoshis, ...one }) => ({
            ...one,
            amount: btc(amount),
            bitcoinTx,
            bitcoinOutput,
            bitcoinValue: satoshis === null ? null : formatAmount(units('BTC', BigInt(satoshis)), SATOSHI_DECIMALS),
          }),
        ),
        F: btc(F),
        X: btc(X),
        T: btc(T),
        C: btc(C),
        ...scaled,
      }
    }),
    next,
  }
}

/** The next production and what it waits for, as everybody may see it. */
export async function readPublicNextDay(
  db: Database,
  dependencies: CloseDependencies,
): Promise<DataOf<'pool/next-day'>> {
  // Read first. If the day is closed in between, the app asks again.
  const next = await readNextDay(db, dependencies)
  const { rows } = await sql<{ now: Date; closed: number | null }>`
    select lode.now() as now, (select max(day) from lode.production_day) as closed`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the clock returned no row')
  return {
    at: row.now.toISOString(),
    closed: row.closed,
    next: next && {
      day: next.day,
      at: next.closesAt.toISOString(),
      state: next.closeState.state,
      until: 'until' in next.closeState ? next.closeState.until.toISOString() : null,
    },
  }
}

/** The public production figures: the weight that runs today, and the last closed day. */
export async function readProduction(db: Database, decimals: Decimals): Promise<DataOf<'pool/figures'>['production']> {
  return readInSnapshot(db, async (snapshot) => {
    const { rows } = await sql<{ total: string; shared: string | null }>`
      select ${RUNNING_WEIGHT} as total, last.shared from ${LAST_CLOSED_DAY}`.execute(snapshot)
    const [last] = (await listDays(snapshot, { limit: 1 }, decimals)).items
    const shared = formatBtc(BigInt(rows[0]?.shared ?? 0), decimals)
    return {
      effective: formatWeight(BigInt(rows[0]?.total ?? 0)),
      last: last ? { day: last.day, closedAt: last.closedAt, shared, fundings: last.fundings } : null,
    }
  })
}

type ListedDay = {
  readonly day: DayNumber
  /** In smallest units of BTC: what the day shared out, and the carry after it. */
  readonly shared: bigint
  readonly carry: bigint
  readonly closedAt: Date
}

/** The last closed days, newest first, for the command line. */
export async function readClosedDays(db: Database, limit: number): Promise<ListedDay[]> {
  const { rows } = await sql<{ day: number; shared: string; carry: string; closed_at: Date }>`
    select day, (${SHARED_AMOUNT}) as shared, carry, closed_at
    from lode.production_day order by day desc limit ${limit}`.execute(db)
  return rows.map(({ day, shared, carry, closed_at: closedAt }) => ({
    day: dayNumber(day),
    shared: BigInt(shared),
    carry: BigInt(carry),
    closedAt,
  }))
}
