import { ok, type Result, refused } from '@lode/kernel'
import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { bytesOf } from '../../platform/chain/hex-column.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import type { Session } from '../../platform/http/session.ts'
import { runOnce } from '../ledger/index.ts'
import { type OrderContext, SessionEndedError } from '../protection/index.ts'
import type { PledgeRow, PromotionRow } from './order-row.ts'
import type { OnlinePaymentRefusal } from './quote.ts'

export type PurchaseContext = OrderContext & {
  /** Why the vault would refuse a payment now, by the last check. Null until a node has answered. */
  readonly onlineRefusal: () => OnlinePaymentRefusal | null
}

type NewOrderField = 'id' | 'planVersion' | 'asset' | 'amount' | 'balancePart' | 'type'

/** The fields have the same meaning as in the order row. */
type NewOrder = { readonly quoteMinutes: number } & (
  | Pick<PromotionRow, NewOrderField | 'level' | 'power' | 'airdrop'>
  | Pick<PledgeRow, NewOrderField | 'termDays' | 'termWeight' | 'weight'>
)

type MakeOrderVerdict<Order extends NewOrder> =
  | ('ok' | 'account-disabled' | 'plan-changed' | 'order-open')
  | (Order extends { readonly level: number } ? 'level-not-next' : never)

/** Inserts the order row only. The caller freezes the part from the balance, in the same transaction. */
export async function makeOrder<Order extends NewOrder>(
  trx: Database,
  session: Session,
  order: Order,
): Promise<MakeOrderVerdict<Order>> {
  const made: NewOrder = order
  const promotion = made.type === orderTypes.promotion ? made : null
  const pledge = made.type === orderTypes.pledge ? made : null
  const { rows } = await sql<{ verdict: MakeOrderVerdict<Order> | 'session-expired' }>`
    select lode.make_order(${session.memberId}, ${session.id}, ${order.id}, ${order.type}, ${order.planVersion}, ${order.asset},
                           ${String(order.amount)}::numeric, ${String(order.balancePart)}::numeric, ${order.quoteMinutes},
                           ${promotion?.level ?? null}, ${promotion?.power ?? null}::numeric,
                           ${promotion ? String(promotion.airdrop) : null}::numeric, ${pledge?.termDays ?? null},
                           ${pledge?.termWeight ?? null}, ${pledge ? String(pledge.weight) : null}::numeric) as verdict`.execute(
    trx,
  )
  const verdict = rows[0]?.verdict
  if (!verdict) throw new Error('lode.make_order returned no verdict')
  if (verdict === 'session-expired') throw new SessionEndedError()
  return verdict
}

type ChangeOrderVerdict = 'ok' | 'order-unknown' | 'order-completed'

/**
 * Cancels an open order. It needs no fund password: the money only returns to its owner, and only after the quote can
 * no longer be paid.
 */
export async function cancelOrder(
  { db, session }: { readonly db: Database; readonly session: Session },
  { key, id }: { readonly key: string; readonly id: string },
): Promise<Result<string, Exclude<ChangeOrderVerdict, 'ok'> | 'key-conflict'>> {
  const command = { member: session.memberId, key, name: 'order/cancel', terms: id }
  const cancelled = await runOnce<string, Exclude<ChangeOrderVerdict, 'ok'>>(db, command, async (trx) => {
    const { rows } = await sql<{ verdict: ChangeOrderVerdict }>`
      select lode.cancel_order(${session.memberId}, ${id}) as verdict`.execute(trx)
    faultPoint('api:before-commit')
    const verdict = rows[0]?.verdict ?? 'order-unknown'
    return verdict === 'ok' ? ok(id) : refused(verdict)
  })
  faultPoint('api:after-commit')
  return cancelled
}

/** Stores the transaction hash that the client reports. It is shown to the member and proves nothing. */
export async function submitOrder(
  db: Database,
  session: Session,
  { id, tx }: { readonly id: string; readonly tx: Hex },
): Promise<Result<string, Exclude<ChangeOrderVerdict, 'ok'>>> {
  const { rows } = await sql<{ verdict: ChangeOrderVerdict }>`
    select lode.submit_order(${session.memberId}, ${id}, ${bytesOf(tx)}) as verdict`.execute(db)
  const verdict = rows[0]?.verdict ?? 'order-unknown'
  return verdict === 'ok' ? ok(id) : refused(verdict)
}
