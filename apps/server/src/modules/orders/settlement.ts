import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { idFromChain } from '../../platform/chain/id-on-chain.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { keyOf, type PaymentMovement, type PaymentSettlement, termsOf } from '../custody/index.ts'
import type { Transaction } from '../ledger/index.ts'
import { closeOrders } from './closing.ts'
import { type OrderRow, type PledgeRow, type PromotionRow, readOrders } from './row.ts'

/** An order that was paid, and by what. Null: from the balance alone, by the transaction that settles it. */
export type Purchase<Row extends OrderRow = OrderRow> = {
  readonly order: Row
  readonly paid: {
    readonly key: `chain:${string}`
    readonly terms: string
    readonly tx: PaymentMovement['log']['tx']
    readonly logIndex: number
    readonly at: Date
  } | null
}

/** What a purchase is in the books. */
export type SettledPurchase = {
  readonly orderId: string
  /** Whether what was paid online is among the entries; if not, it is its payer's deposit. */
  readonly takes: boolean
  readonly entries: readonly Transaction[]
  /** Of the entries, those for which there may not be enough. */
  readonly mayLack: readonly Transaction[]
  /** Once the entries are posted, each of the last or not. */
  finish(isPosted: (transaction: Transaction) => boolean): Promise<void>
}

/** In their order, under every lock that they need; what has ended meanwhile is left out. */
export type SettlePurchases<Row extends OrderRow> = (
  inside: Database,
  purchases: readonly Purchase<Row>[],
) => Promise<readonly SettledPurchase[]>

type Options = {
  readonly settlePromotions: SettlePurchases<PromotionRow>
  readonly settlePledges: SettlePurchases<PledgeRow>
  readonly log: Logger
}

/**
 * What final payments mean. One that names an open order, and is of its payer, token and amount, settles it, whatever became of the
 * member's wish meanwhile; any other is its payer's deposit, as also one with a quote that we never signed.
 */
export function createPaymentSettlement({ settlePromotions, settlePledges, log }: Options): PaymentSettlement {
  return {
    async settle(inside, chainId, { payments, timeOf }) {
      const ids = new Set(payments.flatMap(({ orderId }) => idFromChain(orderId) ?? []))
      const orders =
        ids.size === 0 ? [] : await readOrders(inside, sql`where pay_order.id = any(${Array.from(ids)}::uuid[])`)
      const byId = new Map(orders.map((order) => [order.id, order]))
      const taken = new Map<string, PaymentMovement>()
      const again = new Set<PaymentMovement>()
      const promotions: Purchase<PromotionRow>[] = []
      const pledges: Purchase<PledgeRow>[] = []
      for (const movement of payments) {
        const order = byId.get(idFromChain(movement.orderId) ?? '')
        if (!order) continue
        if (order.ended === 'success' && isLogOf(order, movement)) again.add(movement)
        if (order.ended !== null || !matches(order, movement) || taken.has(order.id)) continue
        taken.set(order.id, movement)
        const { tx, logIndex, blockNumber } = movement.log
        const paid = {
          key: keyOf(chainId, tx, logIndex),
          terms: termsOf(movement),
          tx,
          logIndex,
          at: timeOf(blockNumber),
        }
        if (order.type === orderTypes.promotion) promotions.push({ order, paid })
        else pledges.push({ order, paid })
      }
      // Neither changes anything for the other; promotions lock places in the tree, which come before all else.
      const settled = [
        ...(promotions.length === 0 ? [] : await settlePromotions(inside, promotions)),
        ...(pledges.length === 0 ? [] : await settlePledges(inside, pledges)),
      ]
      const ofMovement = new Map(
        settled.map((one) => [taken.get(one.orderId), one] as const).filter(([, one]) => one.takes),
      )
      const mayLack = new Set(settled.flatMap((one) => one.mayLack))
      return {
        // What is read again and settled its order before is in the books already.
        insteadOf: (movement) => (again.has(movement) ? [] : ofMovement.get(movement)?.entries),
        besides: settled.filter(({ takes }) => !takes).flatMap(({ entries }) => entries),
        mayLack: (transaction) => mayLack.has(transaction),
        async finish(isPosted) {
          if (settled.length > 0) faultPoint('worker:before-settle-order')
          for (const one of settled) await one.finish(isPosted)
          if (settled.length > 0) faultPoint('worker:after-settle-order')
        },
      }
    },

    async conclude(db) {
      const closed = await closeOrders(db, log)
      if (closed > 0) log.info({ closed }, 'orders were closed that nobody paid')
    },
  }
}

/** Locks the orders of purchases, and leaves out those that have ended meanwhile. */
export async function lockOpen<Row extends OrderRow>(
  inside: Database,
  purchases: readonly Purchase<Row>[],
): Promise<Purchase<Row>[]> {
  const ids = purchases.map(({ order }) => order.id)
  await sql`select lode.lock_orders(${ids}::uuid[])`.execute(inside)
  const open = await readOrders(inside, sql`where pay_order.id = any(${ids}::uuid[]) and pay_order.ended is null`)
  const present = new Set(open.map(({ id }) => id))
  return purchases.filter(({ order }) => present.has(order.id))
}

const matches = ({ account, asset, amount, balancePart }: OrderRow, payment: PaymentMovement): boolean =>
  payment.from === account && payment.asset === asset && payment.amount === amount - balancePart

const isLogOf = ({ paid }: OrderRow, { log }: PaymentMovement): boolean =>
  paid?.tx === log.tx && paid.logIndex === log.logIndex
