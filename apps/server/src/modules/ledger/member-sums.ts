import type { Asset } from '@lode/kernel'
import type { receivedTypes } from '@lode/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { assetCodes, type LogType, logTypeCodes } from './chart.ts'

/** What a member's confirmed log lines of one asset and type add up to, in smallest units. */
export type MemberSum = {
  readonly asset: Asset
  readonly type: LogType
  /** A credit is positive, a debit negative. What the member holds changes by `amount` − `fee`. */
  readonly amount: bigint
  readonly fee: bigint
}

const assetByCode = new Map(Object.entries(assetCodes).map(([name, code]) => [code as number, name as Asset]))
const typeByCode = new Map(Object.entries(logTypeCodes).map(([name, code]) => [code as number, name as LogType]))

/**
 * A member's sums since registration, from the kept sums by day. It reads at most one row for each day, asset and type
 * with a confirmed line, however many lines there are.
 */
export async function readMemberSums(db: Database, member: bigint): Promise<MemberSum[]> {
  const { rows } = await sql<SumRow>`
    select asset, type, sum(amount) as amount, sum(fee) as fee
    from lode.ledger_day_sum where member = ${member} group by asset, type`.execute(db)
  return rows.map(toMemberSum)
}

/** Where a day lies: before a period, in it, or after it. */
export type PeriodPart = 'before' | 'within' | 'after'

/** A member's sums since registration, divided by a period from the day `from` to the day `to`, both included. */
export async function readPeriodSums(
  db: Database,
  member: bigint,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Record<PeriodPart, MemberSum[]>> {
  const { rows } = await sql<{ part: PeriodPart; asset: number; type: number; amount: string; fee: string }>`
    select case when day < ${from} then 'before' when day <= ${to} then 'within' else 'after' end as part,
           asset, type, sum(amount) as amount, sum(fee) as fee
    from lode.ledger_day_sum where member = ${member} group by 1, 2, 3`.execute(db)
  const sumsOf = (wanted: PeriodPart) => rows.filter(({ part }) => part === wanted).map(toMemberSum)
  return { before: sumsOf('before'), within: sumsOf('within'), after: sumsOf('after') }
}

type SumRow = { readonly asset: number; readonly type: number; readonly amount: string; readonly fee: string }

const toMemberSum = ({ asset, type, amount, fee }: SumRow): MemberSum => ({
  asset: nameOf(assetByCode, asset),
  type: nameOf(typeByCode, type),
  amount: BigInt(amount),
  fee: BigInt(fee),
})

/** The log types by which each asset is received from the pool. */
const receivedIn = {
  USDT: ['promotionReward', 'upLevelReward', 'agentReward', 'partnerReward'],
  BTN: ['airdropForActive', 'airdropForPromotion', 'airdropForAgent', 'airdropForPartner'],
  BTC: ['pointReward'],
} as const satisfies Record<Asset, readonly (typeof receivedTypes)[number][]>

/** What a member received on one day, in smallest units. Numbers in JSON are text, because JavaScript would round them. */
export type ReceivedDay = { readonly asset: Asset; readonly day: number; readonly amount: string }

/**
 * What a member received on each of the last `days` days, today included, as a JSON value of a larger statement: an
 * array of ReceivedDay. For each asset and type it reads one range of the primary key, so older days cost nothing.
 */
export function receivedDaysSql(member: bigint, days: number): RawBuilder<unknown> {
  const wanted = Object.entries(receivedIn).flatMap(([asset, types]) =>
    types.map((type) => sql`(${asset}, ${assetCodes[asset as Asset]}::smallint, ${logTypeCodes[type]}::smallint)`),
  )
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_object('asset', wanted.name, 'day', kept.day, 'amount', kept.amount::text)), '[]')
    from (values ${sql.join(wanted)}) as wanted (name, asset, type)
    cross join lateral (
      select day, amount from lode.ledger_day_sum
      where member = ${member} and asset = wanted.asset and type = wanted.type
        and day > lode.day_of(lode.now()) - ${days}::int
    ) kept)`
}

/** What a member received by one type of log line within one day, or one calendar month, in smallest units. */
export type ReceivedSum = {
  readonly asset: Asset
  readonly type: (typeof receivedTypes)[number]
  /** The first day of the month, for sums by month. */
  readonly day: number
  readonly amount: bigint
}

type ReceivedRange = { readonly from: number; readonly to: number; readonly step: 'day' | 'month' }

/** What a member received from `from` to `to`. For each asset and type it reads one range of the primary key. */
export async function readReceived(db: Database, member: bigint, range: ReceivedRange): Promise<ReceivedSum[]> {
  const { rows } = await buildReceivedQuery(member, range).execute(db)
  return rows.map(({ amount, ...row }) => ({ ...row, amount: BigInt(amount) }))
}

type ReceivedRow = Omit<ReceivedSum, 'amount'> & { readonly amount: string }

const buildReceivedQuery = (member: bigint, { from, to, step }: ReceivedRange): RawBuilder<ReceivedRow> => sql`
  select wanted.asset_name as asset, wanted.type_name as type, ${step === 'day' ? sql`kept.day` : FIRST_OF_MONTH} as day,
         sum(kept.amount) as amount
  from (values ${sql.join(receivedKinds)}) as wanted (asset_name, type_name, asset, type)
  cross join lateral (
    select day, amount from lode.ledger_day_sum
    where member = ${member} and asset = wanted.asset and type = wanted.type and day between ${from} and ${to}
  ) kept
  group by 1, 2, 3`

const FIRST_OF_MONTH = sql`date_trunc('month', date '1970-01-01' + kept.day)::date - date '1970-01-01'`

const receivedKinds = Object.entries(receivedIn).flatMap(([asset, types]) =>
  types.map(
    (type) => sql`(${asset}, ${type}, ${assetCodes[asset as Asset]}::smallint, ${logTypeCodes[type]}::smallint)`,
  ),
)

/** The day on which a member first received something; null if never. It reads one row for each asset and type. */
export async function readFirstReceivedDay(db: Database, member: bigint): Promise<number | null> {
  const { rows } = await sql<{ day: number | null }>`
    select min(first.day) as day
    from (values ${sql.join(receivedKinds)}) as wanted (asset_name, type_name, asset, type)
    cross join lateral (
      select day from lode.ledger_day_sum
      where member = ${member} and asset = wanted.asset and type = wanted.type order by day limit 1
    ) first`.execute(db)
  return rows[0]?.day ?? null
}

/** All BTN that a member received as airdrops. There is one for each level, and one for each appointment. */
export const airdropsSql = (member: bigint): RawBuilder<unknown> => sql`(
  select coalesce(sum(amount), 0) from lode.ledger_day_sum
  where member = ${member} and asset = ${assetCodes.BTN}
    and type = any(${receivedIn.BTN.map((type) => logTypeCodes[type])}::smallint[]))`

function nameOf<Name>(names: ReadonlyMap<number, Name>, code: number): Name {
  const name = names.get(code)
  if (!name) throw new Error(`the chart has no code ${code}`)
  return name
}
