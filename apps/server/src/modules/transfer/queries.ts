import { type Asset, assets, formatAmount, units } from '@lode/kernel'
import { type DataOf, orderStatuses, orderTypes } from '@lode/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Hex, isAddressEqual, toHex } from 'viem'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { inOneMoment } from '../../platform/db/one-moment.ts'
import { cutPage, oneBeyond } from '../../platform/http/page.ts'
import type { Session } from '../../platform/http/session.ts'
import { balances } from '../ledger/index.ts'
import { readPausedUntil } from '../operators/index.ts'
import { readPayouts } from '../payout/index.ts'
import type { Plan } from '../plan/index.ts'
import { readProtection } from '../protection/index.ts'
import { type Judging, type KnownTransfer, readKnown } from './known.ts'
import { readQuotas } from './quota.ts'
import { standingOf } from './rules.ts'

type Order = DataOf<'transfer/order'>
/** What showing an order needs. */
export type Showing = Judging & { readonly decimals: Decimals }

export async function readTerms(
  db: Database,
  session: Session,
  plan: Plan,
  { operators, decimals }: Showing,
): Promise<DataOf<'transfer/terms'>> {
  const protection = await readProtection(db, session)
  const held = await balances(db, session.memberId)
  const quotas = await readQuotas(db, session.memberId, plan)
  const paused = await readPausedUntil(db, operators, new Date(protection.at))
  const { rows } = await sql<{ disabled: boolean }>`
    select disabled_at is not null as disabled from lode.member where id = ${session.memberId}`.execute(db)
  return {
    planVersion: plan.version,
    at: protection.at,
    address: protection.outputAddress.address,
    own: protection.outputAddress.own,
    reviewed: rows[0]?.disabled ?? false,
    holds: protection.holds,
    pausedUntil: paused?.toISOString() ?? null,
    symbols: assets.map((symbol) => {
      const amount = (value: bigint) => formatAmount(units(symbol, value), decimals[symbol])
      const { min, max, fee, reviewAbove, decisionAbove } = plan.transfer[symbol]
      const { left, total } = quotas[symbol]
      return {
        symbol,
        min: amount(min),
        max: amount(max),
        fee: amount(fee),
        available: amount(held[symbol].available),
        quota: { left: amount(left), total: amount(total) },
        reviewAbove: amount(reviewAbove),
        decisionAbove: amount(decisionAbove),
      }
    }),
  }
}

export async function readOrder(db: Database, session: Session, id: string, showing: Showing): Promise<Order | null> {
  const [order] = await readOrders(db, sql`where id = ${id} and member_id = ${session.memberId}`, showing)
  return order ?? null
}

export type OrderPage = {
  readonly symbol?: Asset
  readonly status?: keyof typeof withStatus
  /** The last order of the previous page. */
  readonly before?: bigint
  readonly limit: number
}

/** Newest first. */
export async function listOrders(
  db: Database,
  session: Session,
  page: OrderPage,
  showing: Showing,
): Promise<{ items: Order[]; next: string | null }> {
  const found = await knownOrders(db, orderSelection(session.memberId, page), showing)
  const { page: shown, next } = cutPage(found, page.limit, ({ row }) => row.number)
  return {
    items: shown.map((known) => orderOf(known, showing.decimals)),
    next,
  }
}

/** Reads in the order of the member's own index, whatever the filter, and stops when the page is full. */
export function orderSelection(member: bigint, { symbol, status, before, limit }: OrderPage): RawBuilder<unknown> {
  const ofSymbol = symbol === undefined ? sql`` : sql`and asset = ${symbol}`
  const olderThan = before === undefined ? sql`` : sql`and number < ${before}`
  const ofStatus = status === undefined ? sql`` : withStatus[status]
  return sql`where member_id = ${member} ${ofSymbol} ${ofStatus} ${olderThan} order by number desc limit ${oneBeyond(limit)}`
}

/** The status is derived from facts, because no column holds it. */
const withStatus = {
  [orderStatuses.failed]: sql`and ended in ('rejected', 'cancelled', 'reverted')`,
  [orderStatuses.success]: sql`and ended = 'final'`,
  [orderStatuses.paying]: sql`and ended is null and release_number is null`,
  [orderStatuses.confirming]: sql`and ended is null and release_number is not null`,
} as const satisfies Record<Order['status'], RawBuilder<unknown>>

const readOrders = async (db: Database, where: RawBuilder<unknown>, showing: Showing): Promise<Order[]> =>
  (await knownOrders(db, where, showing)).map((known) => orderOf(known, showing.decimals))

/** Reads in one snapshot, because a release that ends and its payouts change together. */
const knownOrders = (db: Database, where: RawBuilder<unknown>, showing: Showing): Promise<KnownTransfer[]> =>
  inOneMoment(db, async (moment) => {
    const rows = await readPayouts(moment, where)
    const known = await readKnown(moment, rows, showing)
    return rows.flatMap(({ id }) => known.get(id) ?? [])
  })

function orderOf(known: KnownTransfer, decimals: Decimals): Order {
  const { row, account, rejectionNote } = known
  const { state, status, holds, queue, cancellable, steps, tx } = standingOf(known)
  if (row.planVersion === null) throw new Error(`payout ${row.id} is no transfer`)
  const amount = (value: bigint) => formatAmount(units(row.asset, value), decimals[row.asset])
  return {
    id: row.id,
    type: orderTypes.transferOut,
    status,
    state,
    symbol: row.asset,
    amount: amount(row.amount),
    fee: amount(row.fee),
    address: row.address,
    own: isAddressEqual(row.address, account),
    planVersion: row.planVersion,
    requestedAt: row.requestedAt.toISOString(),
    holds: holds.map(({ reason, endsAt }) => ({ reason, endsAt: endsAt?.toISOString() ?? null })),
    queue: queue && { ...queue, until: queue.until?.toISOString() ?? null },
    cancellable,
    steps: steps.map(({ state: step, at }) => ({ state: step, at: at.toISOString() })),
    tx,
    note: rejectionNote,
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The chain transactions that paid these operations of the log, by operation. Other operations are left out. */
export async function paidTransfers(db: Database, operations: readonly string[]): Promise<Map<string, Hex>> {
  const ids = operations.filter((operation) => UUID.test(operation))
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; paid_tx: Buffer }>`
    select id, paid_tx from lode.payout where id = any(${ids}::uuid[]) and paid_tx is not null`.execute(db)
  return new Map(rows.map(({ id, paid_tx }) => [id, toHex(paid_tx)]))
}
