import type { OrderFailure } from '@lode/wire'
import { orderTypes } from '@lode/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Address, type Hex, toHex } from 'viem'
import { addressFromColumn } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'

/** The type of an order tells what it is for. */
export type OrderRow = PromotionRow | PledgeRow

/** The common fields of an order. Amounts are in smallest units of its asset, the airdrop in smallest units of BTN. */
type OrderFields = {
  readonly id: string
  readonly number: bigint
  readonly memberId: bigint
  readonly account: Address
  readonly planVersion: number
  readonly amount: bigint
  readonly balancePart: bigint
  readonly madeAt: Date
  readonly deadline: Date | null
  readonly cancelledAt: Date | null
  readonly submitted: { readonly tx: Hex; readonly at: Date } | null
  /** The payment in a block that is not final. */
  readonly seen: { readonly tx: Hex; readonly at: Date } | null
  /** The payment that is posted in the ledger. */
  readonly paid: { readonly tx: Hex; readonly logIndex: number; readonly at: Date } | null
  readonly ended: 'success' | 'failed' | null
  readonly endedAt: Date | null
  readonly failure: OrderFailure | null
}

export type PromotionRow = OrderFields & {
  readonly type: typeof orderTypes.promotion
  readonly asset: 'USDT'
  readonly level: number
  readonly power: number
  readonly airdrop: bigint
  readonly airdropPaid: boolean | null
}

export type PledgeRow = OrderFields & {
  readonly type: typeof orderTypes.pledge
  readonly asset: 'BTN'
  readonly termDays: number
  /** The weight of the term, in basis points. */
  readonly termWeight: number
  /** The weight of the pledge: its whole BTN times the weight of the term. */
  readonly weight: bigint
}

type OrderColumns = {
  id: string
  number: bigint
  member_id: bigint
  account: Buffer
  type: number
  plan_version: number
  asset: string
  amount: string
  balance_part: string
  made_at: Date
  deadline: Date | null
  level: number | null
  power: string | null
  airdrop: string | null
  airdrop_paid: boolean | null
  term_days: number | null
  term_weight: number | null
  weight: string | null
  cancelled_at: Date | null
  submitted_tx: Buffer | null
  submitted_at: Date | null
  seen_tx: Buffer | null
  seen_at: Date | null
  paid_tx: Buffer | null
  paid_log_index: number | null
  paid_at: Date | null
  ended: OrderRow['ended']
  ended_at: Date | null
  failure: OrderFailure | null
}

/** Reads orders. `clauses` follows `from lode.pay_order` and its joins in the statement, for example `where …`. */
export async function readOrders(db: Database, clauses: RawBuilder<unknown>): Promise<OrderRow[]> {
  const { rows } = await sql<OrderColumns>`
    select pay_order.id, pay_order.number, pay_order.member_id, member.account, pay_order.type, pay_order.plan_version,
           pay_order.asset, pay_order.amount, pay_order.balance_part,
           pay_order.made_at, pay_order.deadline, pay_order.level, pay_order.power,
           pay_order.airdrop, pay_order.airdrop_paid, pay_order.term_days, pay_order.term_weight,
           pay_order.weight, pay_order.cancelled_at, pay_order.submitted_tx, pay_order.submitted_at,
           seen.tx as seen_tx, seen.seen_at, pay_order.paid_tx, pay_order.paid_log_index,
           pay_order.paid_at, pay_order.ended, pay_order.ended_at, pay_order.failure
    from lode.pay_order
    join lode.member on member.id = pay_order.member_id
    left join lateral (
      select tx, seen_at from lode.order_seen where order_seen.order_id = pay_order.id
    ) seen on true
    ${clauses}`.execute(db)
  return rows.map(toOrderRow)
}

function toOrderRow(row: OrderColumns): OrderRow {
  const fields = toOrderFields(row)
  const { type, asset, level, term_days: termDays, term_weight: termWeight, weight } = row
  if (type === orderTypes.promotion && asset === 'USDT' && level !== null)
    return {
      ...fields,
      type,
      asset,
      level,
      power: Number(row.power),
      airdrop: BigInt(row.airdrop ?? 0),
      airdropPaid: row.airdrop_paid,
    }
  if (type === orderTypes.pledge && asset === 'BTN' && termDays !== null && termWeight !== null && weight !== null)
    return { ...fields, type, asset, termDays, termWeight, weight: BigInt(weight) }
  throw new Error(`order ${row.id} has an unknown type, or lacks a field of its type`)
}

function toOrderFields(row: OrderColumns): OrderFields {
  const { paid_tx: paidTx, paid_log_index: logIndex, paid_at: paidAt } = row
  return {
    id: row.id,
    number: row.number,
    memberId: row.member_id,
    account: addressFromColumn(row.account),
    planVersion: row.plan_version,
    amount: BigInt(row.amount),
    balancePart: BigInt(row.balance_part),
    madeAt: row.made_at,
    deadline: row.deadline,
    cancelledAt: row.cancelled_at,
    submitted: toTxTime(row.submitted_tx, row.submitted_at),
    seen: toTxTime(row.seen_tx, row.seen_at),
    paid: paidTx && logIndex !== null && paidAt ? { tx: toHex(paidTx), logIndex, at: paidAt } : null,
    ended: row.ended,
    endedAt: row.ended_at,
    failure: row.failure,
  }
}

const toTxTime = (tx: Buffer | null, at: Date | null): { tx: Hex; at: Date } | null =>
  tx && at ? { tx: toHex(tx), at } : null
