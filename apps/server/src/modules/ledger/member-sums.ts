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
  const { rows } = await sql<{ asset: number; type: number; amount: string; fee: string }>`
    select asset, type, sum(amount) as amount, sum(fee) as fee
    from lode.ledger_day_sum where member = ${member} group by asset, type`.execute(db)
  return rows.map(({ asset, type, amount, fee }) => ({
    asset: nameOf(assetByCode, asset),
    type: nameOf(typeByCode, type),
    amount: BigInt(amount),
    fee: BigInt(fee),
  }))
}

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
