import { type Asset, formatAmount, units } from '@lode/kernel'
import { type DataOf, orderStatuses, orderTypes } from '@lode/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { readInSnapshot } from '../../platform/db/read-in-snapshot.ts'
import { cutPage, type Page, rowsToRead } from '../../platform/http/page.ts'
import type { PeriodPart } from '../ledger/index.ts'
import { type OrderRow, readOrders } from './order-row.ts'
import type { Quotes } from './quote.ts'
import { determineMethod, paymentOf, stateOf, statusOf, txOf } from './rules.ts'

type PromotionOrder = DataOf<'promotion/order'>
type PledgeOrder = DataOf<'pledge/order'>
type PurchaseOrder = PromotionOrder | PledgeOrder

type PurchaseType = OrderRow['type']
type OrderOf<T extends PurchaseType> = Extract<PurchaseOrder, { readonly type: T }>

/** What is needed to show orders. */
export type OrderDisplayOptions = {
  readonly quotes: Quotes
  readonly decimals: Decimals
  /** How long a block usually takes to become final. */
  readonly finalityMinutes: number
}

const MINUTE_MS = 60_000

export async function readOrder(
  db: Database,
  member: bigint,
  id: string,
  showing: OrderDisplayOptions,
): Promise<PurchaseOrder | null> {
  const [order] = await findOrders(db, sql`where pay_order.id = ${id} and pay_order.member_id = ${member}`, showing)
  return order ?? null
}

/** The member's open order of a type. There is at most one. */
export async function readOpenOrder<T extends PurchaseType>(
  db: Database,
  member: bigint,
  type: T,
  showing: OrderDisplayOptions,
): Promise<OrderOf<T> | null> {
  const clauses = sql`where pay_order.member_id = ${member} and type = ${type} and pay_order.ended is null`
  const [order] = await findOrders(db, clauses, showing)
  return order && isOfType(order, type) ? order : null
}

const isOfType = <T extends PurchaseType>(order: PurchaseOrder, type: T): order is OrderOf<T> => order.type === type

type OrderPage = Page & { readonly symbol?: Asset; readonly status?: keyof typeof statusConditions }

/** SQL conditions, because no column holds the status. */
const statusConditions = {
  [orderStatuses.failed]: sql`and pay_order.ended = 'failed'`,
  [orderStatuses.success]: sql`and pay_order.ended = 'success'`,
  [orderStatuses.paying]: sql`and pay_order.ended is null and seen.tx is null`,
  [orderStatuses.confirming]: sql`and pay_order.ended is null and seen.tx is not null`,
} as const satisfies Record<PurchaseOrder['status'], RawBuilder<unknown>>

/** A member's orders of one type, newest first. */
export async function listOrders<T extends PurchaseType>(
  db: Database,
  member: bigint,
  { type, symbol, status, before, limit }: OrderPage & { readonly type: T },
  showing: OrderDisplayOptions,
): Promise<{ items: OrderOf<T>[]; next: string | null; total: number; successes: number }> {
  const ofMember = sql`pay_order.member_id = ${member} and pay_order.type = ${type}`
  const ofSymbol = symbol === undefined ? sql`` : sql`and pay_order.asset = ${symbol}`
  const ofStatus = status === undefined ? sql`` : statusConditions[status]
  const clauses = sql`where ${ofMember} ${ofSymbol} ${ofStatus} ${olderThan(before)}
                    order by pay_order.number desc limit ${rowsToRead(limit)}`
  const found = await findNumberedOrders(db, clauses, showing)
  const { rows } = await sql<{ total: number; successes: number }>`
    select count(*)::int as total, count(*) filter (where ended = 'success')::int as successes
    from lode.pay_order where ${ofMember}`.execute(db)
  const { page, next } = cutPage(found, limit, ({ number }) => number)
  const items = page.map(({ order }) => order).filter((order) => isOfType(order, type))
  return { items, next, ...(rows[0] ?? { total: 0, successes: 0 }) }
}

/** What a member has paid online for promotions, in smallest units of USDT. This money never enters the balance. */
export async function sumPromotionsPaidOnline(db: Database, member: bigint): Promise<bigint> {
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(amount - balance_part), 0) as sum from lode.pay_order
    where member_id = ${member} and type = ${orderTypes.promotion} and ended = 'success'`.execute(db)
  return BigInt(rows[0]?.sum ?? 0)
}

/** What a member has paid online, in smallest units: USDT for promotions and BTN for pledges. */
export type OnlinePayments = { readonly promotions: bigint; readonly pledges: bigint }

type DayRange = { readonly from: number; readonly to: number }

/** Exported for the test of its plan. It reads only the index `pay_order_successful`. */
export const buildOnlinePaymentsQuery = (member: bigint, { from, to }: DayRange) =>
  sql<{ part: PeriodPart; type: number; sum: string }>`
    select case when settled.day < ${from} then 'before' when settled.day <= ${to} then 'within' else 'after' end as part,
           type, sum(amount - balance_part) as sum
    from lode.pay_order, lateral (select lode.day_of(ended_at) as day) settled
    where member_id = ${member} and ended = 'success' group by 1, 2`

/** A member's online payments before, in and after a period from the day `from` to the day `to`, both included. */
export async function sumOnlinePayments(
  db: Database,
  member: bigint,
  days: DayRange,
): Promise<Record<PeriodPart, OnlinePayments>> {
  const { rows } = await buildOnlinePaymentsQuery(member, days).execute(db)
  const sumOf = (part: PeriodPart, type: number) =>
    BigInt(rows.find((row) => row.part === part && row.type === type)?.sum ?? 0)
  const paymentsOf = (part: PeriodPart) => ({
    promotions: sumOf(part, orderTypes.promotion),
    pledges: sumOf(part, orderTypes.pledge),
  })
  return { before: paymentsOf('before'), within: paymentsOf('within'), after: paymentsOf('after') }
}

/** A member's payments, online or from the balance, newest first. Orders without a begun payment are left out. */
export async function listPayments(
  db: Database,
  member: bigint,
  { before, limit }: Page,
  { decimals }: OrderDisplayOptions,
): Promise<DataOf<'order/payments'>> {
  const hasPayment = sql`pay_order.member_id = ${member}
    and (pay_order.paid_tx is not null or pay_order.ended = 'success'
         or pay_order.ended is null and (pay_order.submitted_tx is not null
              or exists (select from lode.order_seen where order_seen.order_id = pay_order.id)))`
  const [orders, counts] = await readInSnapshot(db, async (snapshot) => [
    await readOrders(
      snapshot,
      sql`where ${hasPayment} ${olderThan(before)} order by pay_order.number desc limit ${rowsToRead(limit)}`,
    ),
    await sql<{ total: number; successes: number }>`
      select count(*)::int as total, count(*) filter (where ended = 'success')::int as successes
      from lode.pay_order where ${hasPayment}`.execute(snapshot),
  ])
  const { page, next } = cutPage(orders, limit, ({ number }) => number)
  return {
    items: page.map((order) => formatPayment(order, decimals)),
    next,
    ...(counts.rows[0] ?? { total: 0, successes: 0 }),
  }
}

function formatPayment(order: OrderRow, decimals: OrderDisplayOptions['decimals']) {
  const payment = paymentOf(order)
  if (!payment) throw new Error(`order ${order.id} was not paid`)
  return {
    orderId: order.id,
    method: determineMethod(order),
    ...(order.type === orderTypes.promotion
      ? { type: order.type, level: order.level }
      : { type: order.type, termDays: order.termDays }),
    ...formatAmounts(order, decimals),
    state: payment.state,
    tx: txOf(order),
    at: payment.at.toISOString(),
  }
}

const olderThan = (before: bigint | undefined) => (before === undefined ? sql`` : sql`and pay_order.number < ${before}`)

const findOrders = async (
  db: Database,
  clauses: RawBuilder<unknown>,
  showing: OrderDisplayOptions,
): Promise<PurchaseOrder[]> => (await findNumberedOrders(db, clauses, showing)).map(({ order }) => order)

async function findNumberedOrders(
  db: Database,
  clauses: RawBuilder<unknown>,
  showing: OrderDisplayOptions,
): Promise<{ number: bigint; order: PurchaseOrder }[]> {
  const { now, rows } = await readInSnapshot(db, async (snapshot) => ({
    now: (await sql<{ now: Date }>`select lode.chain_now() as now`.execute(snapshot)).rows[0]?.now ?? new Date(),
    rows: await readOrders(snapshot, clauses),
  }))
  return Promise.all(rows.map(async (row) => ({ number: row.number, order: await formatOrder(row, now, showing) })))
}

/** Formats an order for the wire. Signs its quote here, outside any transaction, if its state is `paying`. */
async function formatOrder(row: OrderRow, now: Date, showing: OrderDisplayOptions): Promise<PurchaseOrder> {
  const { quotes, decimals, finalityMinutes } = showing
  const state = stateOf(row, now)
  const { deadline } = row
  const closesAt = state === 'closing' && deadline ? new Date(deadline.getTime() + finalityMinutes * MINUTE_MS) : null
  const shown = {
    id: row.id,
    status: statusOf[state],
    state,
    method: determineMethod(row),
    planVersion: row.planVersion,
    ...formatAmounts(row, decimals),
    createdAt: row.madeAt.toISOString(),
    deadline: deadline?.toISOString() ?? null,
    quote: state === 'paying' ? await quotes(row) : null,
    cancellable: state === 'paying',
    cancelledAt: row.cancelledAt?.toISOString() ?? null,
    closesAt: closesAt?.toISOString() ?? null,
    tx: txOf(row),
    endedAt: row.endedAt?.toISOString() ?? null,
    failure: row.failure,
  }
  switch (row.type) {
    case orderTypes.promotion: {
      const airdrop = { amount: formatAmount(units('BTN', row.airdrop), decimals.BTN), paid: row.airdropPaid }
      return { ...shown, type: row.type, level: row.level, power: row.power, airdrop }
    }
    case orderTypes.pledge:
      return { ...shown, type: row.type, termDays: row.termDays, termWeight: row.termWeight }
  }
}

function formatAmounts({ asset, amount, balancePart }: OrderRow, decimals: OrderDisplayOptions['decimals']) {
  const text = (value: bigint) => formatAmount(units(asset, value), decimals[asset])
  return {
    symbol: asset,
    amount: text(amount),
    balancePart: text(balancePart),
    payAmount: text(amount - balancePart),
  }
}
