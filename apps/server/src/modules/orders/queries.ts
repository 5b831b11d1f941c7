import { type Asset, formatAmount, units } from '@lode/kernel'
import { type DataOf, orderStatuses, orderTypes } from '@lode/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { inOneMoment } from '../../platform/db/one-moment.ts'
import type { Quotes } from './quote.ts'
import { type OrderRow, readOrders } from './row.ts'
import { methodOf, paymentOf, stateOf, statusOf, txOf } from './rules.ts'

type PromotionOrder = DataOf<'promotion/order'>

/** What orders are shown with. */
export type ShowingOrders = {
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
  showing: ShowingOrders,
): Promise<PromotionOrder | null> {
  const [order] = await shown(db, sql`where pay_order.id = ${id} and pay_order.member_id = ${member}`, showing)
  return order ?? null
}

/** The promotion that is open, of which there is one at most. */
export async function readOpenOrder(
  db: Database,
  member: bigint,
  showing: ShowingOrders,
): Promise<PromotionOrder | null> {
  const which = sql`where pay_order.member_id = ${member} and type = ${orderTypes.promotion} and pay_order.ended is null`
  const [order] = await shown(db, which, showing)
  return order ?? null
}

type Page = { readonly before?: bigint; readonly limit: number }
type OrderPage = Page & { readonly symbol?: Asset; readonly status?: keyof typeof withStatus }

/** By the facts, for the state itself is in no column. */
const withStatus = {
  [orderStatuses.failed]: sql`and pay_order.ended = 'failed'`,
  [orderStatuses.success]: sql`and pay_order.ended = 'success'`,
  [orderStatuses.paying]: sql`and pay_order.ended is null and seen.tx is null`,
  [orderStatuses.confirming]: sql`and pay_order.ended is null and seen.tx is not null`,
} as const satisfies Record<PromotionOrder['status'], RawBuilder<unknown>>

/** Newest first. */
export async function listOrders(
  db: Database,
  member: bigint,
  { symbol, status, before, limit }: OrderPage,
  showing: ShowingOrders,
): Promise<Extract<DataOf<'order/list'>, { type: 1 }>> {
  const ofMember = sql`pay_order.member_id = ${member} and pay_order.type = ${orderTypes.promotion}`
  const ofSymbol = symbol === undefined ? sql`` : sql`and pay_order.asset = ${symbol}`
  const ofStatus = status === undefined ? sql`` : withStatus[status]
  const which = sql`where ${ofMember} ${ofSymbol} ${ofStatus} ${olderThan(before)}
                    order by pay_order.number desc limit ${limit + 1}`
  const found = await shownWithNumbers(db, which, showing)
  const { rows } = await sql<{ total: number; successes: number }>`
    select count(*)::int as total, count(*) filter (where ended = 'success')::int as successes
    from lode.pay_order where ${ofMember}`.execute(db)
  return {
    type: orderTypes.promotion,
    ...pageOf(found, limit, ({ order }) => order),
    ...(rows[0] ?? { total: 0, successes: 0 }),
  }
}

/** What was paid, on the chain or from the balance; an order that nobody began to pay is not among it. */
export async function listPayments(
  db: Database,
  member: bigint,
  { before, limit }: Page,
  { decimals }: ShowingOrders,
): Promise<DataOf<'order/payments'>> {
  const paid = sql`pay_order.member_id = ${member}
    and (pay_order.paid_tx is not null or pay_order.ended = 'success'
         or pay_order.ended is null and (pay_order.submitted_tx is not null
              or exists (select from lode.order_seen where order_seen.order_id = pay_order.id)))`
  const [orders, counts] = await inOneMoment(db, async (moment) => [
    await readOrders(moment, sql`where ${paid} ${olderThan(before)} order by pay_order.number desc limit ${limit + 1}`),
    await sql<{ total: number; successes: number }>`
      select count(*)::int as total, count(*) filter (where ended = 'success')::int as successes
      from lode.pay_order where ${paid}`.execute(moment),
  ])
  const found = orders.map((order) => ({ number: order.number, order }))
  return {
    ...pageOf(found, limit, ({ order }) => paymentShown(order, decimals)),
    ...(counts.rows[0] ?? { total: 0, successes: 0 }),
  }
}

function paymentShown(order: OrderRow, decimals: ShowingOrders['decimals']) {
  const payment = paymentOf(order)
  if (!payment) throw new Error(`order ${order.id} was not paid`)
  return {
    ...{ orderId: order.id, type: order.type, level: order.level, method: methodOf(order) },
    ...amountsOf(order, decimals),
    ...{ state: payment.state, tx: txOf(order), at: payment.at.toISOString() },
  }
}

const olderThan = (before: bigint | undefined) => (before === undefined ? sql`` : sql`and pay_order.number < ${before}`)

/** Of one more than the page holds, to know whether another page follows. */
function pageOf<Found extends { readonly number: bigint }, Item>(
  found: readonly Found[],
  limit: number,
  show: (one: Found) => Item,
): { items: Item[]; next: string | null } {
  const page = found.slice(0, limit)
  return { items: page.map(show), next: found.length > limit ? String(page.at(-1)?.number) : null }
}

const shown = async (db: Database, which: RawBuilder<unknown>, showing: ShowingOrders): Promise<PromotionOrder[]> =>
  (await shownWithNumbers(db, which, showing)).map(({ order }) => order)

async function shownWithNumbers(
  db: Database,
  which: RawBuilder<unknown>,
  showing: ShowingOrders,
): Promise<{ number: bigint; order: PromotionOrder }[]> {
  const { now, rows } = await inOneMoment(db, async (moment) => ({
    now: (await sql<{ now: Date }>`select lode.chain_now() as now`.execute(moment)).rows[0]?.now ?? new Date(),
    rows: await readOrders(moment, which),
  }))
  return Promise.all(rows.map(async (row) => ({ number: row.number, order: await orderShown(row, now, showing) })))
}

/** The quote is signed here, after everything was read and in no transaction; only an order that can be paid gets it. */
async function orderShown(row: OrderRow, now: Date, showing: ShowingOrders): Promise<PromotionOrder> {
  const { quotes, decimals, finalityMinutes } = showing
  const state = stateOf(row, now)
  const { deadline } = row
  const closesAt = state === 'closing' && deadline ? new Date(deadline.getTime() + finalityMinutes * MINUTE_MS) : null
  return {
    ...{
      id: row.id,
      type: row.type,
      status: statusOf[state],
      state,
      method: methodOf(row),
      planVersion: row.planVersion,
    },
    ...amountsOf(row, decimals),
    createdAt: row.madeAt.toISOString(),
    deadline: deadline?.toISOString() ?? null,
    quote: state === 'paying' ? await quotes(row) : null,
    cancellable: state === 'paying',
    cancelledAt: row.cancelledAt?.toISOString() ?? null,
    closesAt: closesAt?.toISOString() ?? null,
    tx: txOf(row),
    endedAt: row.endedAt?.toISOString() ?? null,
    failure: row.failure,
    level: row.level,
    power: row.power,
    airdrop: { amount: formatAmount(units('BTN', row.airdrop), decimals.BTN), paid: row.airdropPaid },
  }
}

function amountsOf({ asset, amount, balancePart }: OrderRow, decimals: ShowingOrders['decimals']) {
  const text = (value: bigint) => formatAmount(units(asset, value), decimals[asset])
  return {
    ...{ symbol: asset, amount: text(amount) },
    ...{ balancePart: text(balancePart), payAmount: text(amount - balancePart) },
  }
}
