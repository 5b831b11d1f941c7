import { orderTypes } from '@lode/wire'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { idFromChain } from '../../platform/chain/id-on-chain.ts'
import type { Database } from '../../platform/db/database.ts'
import { faultPoint } from '../../platform/faults/fault-point.ts'
import { chainLogKey, chainLogTerms, type PaymentMovement, type PaymentSettlement } from '../custody/index.ts'
import type { Transaction } from '../ledger/index.ts'
import { closeOrders } from './close-orders.ts'
import { type OrderRow, type PledgeRow, type PromotionRow, readOrders } from './order-row.ts'

/** A paid order and its payment. `paid` is null if the balance alone pays for it. */
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

/** The result of settling one purchase. */
export type SettledPurchase = {
  readonly orderId: string
  /** Whether the entries include the online payment. If not, it becomes a deposit of its payer. */
  readonly includesPayment: boolean
  readonly entries: readonly Transaction[]
  /** The entries, such as an airdrop, that are not posted if their account has too little. */
  readonly optionalEntries: readonly Transaction[]
}

export type SettledPurchases = {
  readonly purchases: readonly SettledPurchase[]
  /** Stores the results of all of them. Called after posting. */
  finish(): Promise<void>
}

/**
 * Settles purchases in the given sequence. Takes every lock that they need, except those of the ledger accounts, which
 * posting takes later. Ended orders are left out.
 */
export type SettlePurchases<Row extends OrderRow> = (
  trx: Database,
  purchases: readonly Purchase<Row>[],
) => Promise<SettledPurchases>

type Options = {
  readonly settlePromotions: SettlePurchases<PromotionRow>
  readonly settlePledges: SettlePurchases<PledgeRow>
  readonly log: Logger
}

/**
 * Decides what final payments mean. A payment settles an open order if it names the order and has its payer, token and
 * amount, even if the member canceled the order before. Any other payment is a deposit of its payer, also one with a
 * quote that the api never signed. If the level of a promotion can no longer be bought, its order fails and the payment
 * is a deposit too.
 */
export function createPaymentSettlement({ settlePromotions, settlePledges, log }: Options): PaymentSettlement {
  return {
    async settle(trx, chainId, { payments, timeOf }) {
      const ids = new Set(payments.flatMap(({ orderId }) => idFromChain(orderId) ?? []))
      const orders =
        ids.size === 0 ? [] : await readOrders(trx, sql`where pay_order.id = any(${Array.from(ids)}::uuid[])`)
      const byId = new Map(orders.map((order) => [order.id, order]))
      const paymentByOrder = new Map<string, PaymentMovement>()
      const alreadySettled = new Set<PaymentMovement>()
      const promotions: Purchase<PromotionRow>[] = []
      const pledges: Purchase<PledgeRow>[] = []
      for (const movement of payments) {
        const order = byId.get(idFromChain(movement.orderId) ?? '')
        if (!order) continue
        if (order.ended === 'success' && isPaidBy(order, movement)) alreadySettled.add(movement)
        if (order.ended !== null || !matches(order, movement) || paymentByOrder.has(order.id)) continue
        paymentByOrder.set(order.id, movement)
        const { tx, logIndex, blockNumber } = movement.log
        const paid = {
          key: chainLogKey(chainId, tx, logIndex),
          terms: chainLogTerms(movement),
          tx,
          logIndex,
          at: timeOf(blockNumber),
        }
        if (order.type === orderTypes.promotion) promotions.push({ order, paid })
        else pledges.push({ order, paid })
      }
      // Promotions and pledges do not affect each other. Promotions lock places in the tree, which come first in the
      // lock order.
      const byType = [
        ...(promotions.length === 0 ? [] : [await settlePromotions(trx, promotions)]),
        ...(pledges.length === 0 ? [] : [await settlePledges(trx, pledges)]),
      ]
      const settled = byType.flatMap(({ purchases }) => purchases)
      const settledByMovement = new Map(
        settled.map((one) => [paymentByOrder.get(one.orderId), one] as const).filter(([, one]) => one.includesPayment),
      )
      const optional = new Set(settled.flatMap((one) => one.optionalEntries))
      return {
        // A payment that is read again after a rewind, and that settled its order before, is in the ledger already.
        transactionsFor: (movement) => (alreadySettled.has(movement) ? [] : settledByMovement.get(movement)?.entries),
        furtherTransactions: settled
          .filter(({ includesPayment }) => !includesPayment)
          .flatMap(({ entries }) => entries),
        mayBeInsufficient: (transaction) => optional.has(transaction),
        async finish() {
          if (settled.length > 0) faultPoint('worker:before-settle-order')
          for (const { finish } of byType) await finish()
          if (settled.length > 0) faultPoint('worker:after-settle-order')
        },
      }
    },

    async conclude(db) {
      const closed = await closeOrders(db, log)
      if (closed > 0) log.info({ closed }, 'closed unpaid orders')
    },
  }
}

/** Locks the orders of the purchases and leaves out those that have ended in the meantime. */
export async function lockOpenPurchases<Row extends OrderRow>(
  trx: Database,
  purchases: readonly Purchase<Row>[],
): Promise<Purchase<Row>[]> {
  const ids = purchases.map(({ order }) => order.id)
  await sql`select lode.lock_orders(${ids}::uuid[])`.execute(trx)
  const open = await readOrders(trx, sql`where pay_order.id = any(${ids}::uuid[]) and pay_order.ended is null`)
  const openIds = new Set(open.map(({ id }) => id))
  return purchases.filter(({ order }) => openIds.has(order.id))
}

const matches = ({ account, asset, amount, balancePart }: OrderRow, payment: PaymentMovement): boolean =>
  payment.from === account && payment.asset === asset && payment.amount === amount - balancePart

const isPaidBy = ({ paid }: OrderRow, { log }: PaymentMovement): boolean =>
  paid?.tx === log.tx && paid.logIndex === log.logIndex
