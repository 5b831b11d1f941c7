import { type Asset, assets, formatAmount, units } from '@lode/kernel'
import { type DataOf, orderStatuses, orderTypes } from '@lode/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Hex, isAddressEqual, toHex } from 'viem'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import type { Database } from '../../platform/db/database.ts'
import { readInSnapshot } from '../../platform/db/read-in-snapshot.ts'
import { cutPage, rowsToRead } from '../../platform/http/page.ts'
import type { Session } from '../../platform/http/session.ts'
import { readBalances } from '../ledger/index.ts'
import { readPauseEnd } from '../operators/index.ts'
import { readPayouts } from '../payout/index.ts'
import type { Plan } from '../plan/index.ts'
import { readProtection } from '../protection/index.ts'
import { type LoadedTransfer, loadTransfers, type PlansAndOperators } from './load-transfers.ts'
import { readQuotas } from './quota.ts'
import { deriveTransferProgress } from './rules.ts'

type TransferOrder = DataOf<'transfer/order'>
/** What the functions that read transfers need besides the database. */
export type TransferReadContext = PlansAndOperators & { readonly decimals: Decimals }

export async function readTerms(
  db: Database,
  session: Session,
  plan: Plan,
  { operators, decimals }: TransferReadContext,
): Promise<DataOf<'transfer/terms'>> {
  const protection = await readProtection(db, session)
  const balances = await readBalances(db, session.memberId)
  const quotas = await readQuotas(db, session.memberId, plan)
  const pausedUntil = await readPauseEnd(db, operators, new Date(protection.at))
  const { rows } = await sql<{ disabled: boolean }>`
    select disabled_at is not null as disabled from lode.member where id = ${session.memberId}`.execute(db)
  return {
    planVersion: plan.version,
    at: protection.at,
    address: protection.outputAddress.address,
    own: protection.outputAddress.own,
    reviewed: rows[0]?.disabled ?? false,
    holds: protection.holds,
    pausedUntil: pausedUntil?.toISOString() ?? null,
    symbols: assets.map((symbol) => {
      const amount = (value: bigint) => formatAmount(units(symbol, value), decimals[symbol])
      const { min, max, fee, reviewAbove, decisionAbove } = plan.transfer[symbol]
      const { left, total } = quotas[symbol]
      return {
        symbol,
        min: amount(min),
        max: amount(max),
        fee: amount(fee),
        available: amount(balances[symbol].available),
        quota: { left: amount(left), total: amount(total) },
        reviewAbove: amount(reviewAbove),
        decisionAbove: amount(decisionAbove),
      }
    }),
  }
}

export async function readTransfer(
  db: Database,
  session: Session,
  id: string,
  context: TransferReadContext,
): Promise<TransferOrder | null> {
  const [order] = await readOrders(db, sql`where id = ${id} and member_id = ${session.memberId}`, context)
  return order ?? null
}

export type OrderPage = {
  readonly symbol?: Asset
  readonly status?: keyof typeof statusConditions
  /** The last order of the previous page. */
  readonly before?: bigint
  readonly limit: number
}

/** Lists the transfers of a member, the newest first. */
export async function listTransfers(
  db: Database,
  session: Session,
  page: OrderPage,
  context: TransferReadContext,
): Promise<{ items: TransferOrder[]; next: string | null; total: number; successes: number }> {
  const found = await loadOrders(db, selectOrders(session.memberId, page), context)
  const { page: shown, next } = cutPage(found, page.limit, ({ row }) => row.number)
  const { rows } = await sql<{ total: number; successes: number }>`
    select count(*)::int as total, count(*) filter (where ended = 'final')::int as successes
    from lode.payout where member_id = ${session.memberId}`.execute(db)
  return {
    items: shown.map((transfer) => toOrder(transfer, context.decimals)),
    next,
    ...(rows[0] ?? { total: 0, successes: 0 }),
  }
}

/** The SQL condition of one page. With any filter it follows the member's index, and stops when the page is full. */
export function selectOrders(member: bigint, { symbol, status, before, limit }: OrderPage): RawBuilder<unknown> {
  const ofSymbol = symbol === undefined ? sql`` : sql`and asset = ${symbol}`
  const olderThan = before === undefined ? sql`` : sql`and number < ${before}`
  const ofStatus = status === undefined ? sql`` : statusConditions[status]
  return sql`where member_id = ${member} ${ofSymbol} ${ofStatus} ${olderThan} order by number desc limit ${rowsToRead(limit)}`
}

/** SQL conditions for each status. No column holds the status, so it is computed from other columns. */
const statusConditions = {
  [orderStatuses.failed]: sql`and ended in ('rejected', 'cancelled', 'reverted')`,
  [orderStatuses.success]: sql`and ended = 'final'`,
  [orderStatuses.paying]: sql`and ended is null and release_number is null`,
  [orderStatuses.confirming]: sql`and ended is null and release_number is not null`,
} as const satisfies Record<TransferOrder['status'], RawBuilder<unknown>>

const readOrders = async (
  db: Database,
  where: RawBuilder<unknown>,
  context: TransferReadContext,
): Promise<TransferOrder[]> =>
  (await loadOrders(db, where, context)).map((transfer) => toOrder(transfer, context.decimals))

/** Reads in one snapshot, because a release and its payouts change together. */
const loadOrders = (
  db: Database,
  where: RawBuilder<unknown>,
  context: TransferReadContext,
): Promise<LoadedTransfer[]> =>
  readInSnapshot(db, async (snapshot) => {
    const rows = await readPayouts(snapshot, where)
    const transfers = await loadTransfers(snapshot, rows, context)
    return rows.flatMap(({ id }) => transfers.get(id) ?? [])
  })

function toOrder(transfer: LoadedTransfer, decimals: Decimals): TransferOrder {
  const { row, account, rejectionNote } = transfer
  const { state, status, holds, queue, cancellable, steps, tx } = deriveTransferProgress(transfer)
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

/** For each of these log operations that is a paid transfer: the chain transaction that paid it. */
export async function readPaidTransfers(db: Database, operations: readonly string[]): Promise<Map<string, Hex>> {
  const ids = operations.filter((operation) => UUID.test(operation))
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; paid_tx: Buffer }>`
    select id, paid_tx from lode.payout where id = any(${ids}::uuid[]) and paid_tx is not null`.execute(db)
  return new Map(rows.map(({ id, paid_tx }) => [id, toHex(paid_tx)]))
}
