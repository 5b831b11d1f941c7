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
  readonly takes: boolean
  readonly entries: readonly Transaction[]
  /** The entries that may stay unposted because an account has too little. */
  readonly mayLack: readonly Transaction[]
  /** Called after posting. isPosted() tells which of the `mayLack` entries were posted. */
  finish(isPosted: (transaction: Transaction) => boolean): Promise<void>
}

/** Settles purchases in their order and takes every lock that they need. Orders that have ended are left out. */
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
 * Decides what final payments mean. A payment settles an open order if it names the order and has its payer, token and
 * amount, even if the member canceled the order before. Any other payment is a deposit of its payer, also one with a
 * quote that the api never signed.
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
      // Promotions and pledges do not affect each other. Promotions lock places in the tree, which come first in the
      // lock order.
      const settled = [
        ...(promotions.length === 0 ? [] : await settlePromotions(inside, promotions)),
        ...(pledges.length === 0 ? [] : await settlePledges(inside, pledges)),
      ]
      const ofMovement = new Map(
        settled.map((one) => [taken.get(one.orderId), one] as const).filter(([, one]) => one.takes),
      )
      const mayLack = new Set(settled.flatMap((one) => one.mayLack))
      return {
        // A payment that is read again after a rewind, and that settled its order before, is in the ledger already.
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

/** Locks the orders of the purchases and leaves out those that have ended in the meantime. */
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
