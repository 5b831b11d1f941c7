import * as z from 'zod/mini'
import {
  orderFailures,
  orderStatuses,
  orderTypes,
  paidOrderStates,
  paymentMethods,
  paymentStates,
  queueReasons,
  transferHoldReasons,
  transferStates,
} from '../enums.ts'
import {
  address,
  amount,
  asset,
  idempotencyKey,
  moment,
  orderId,
  pageQuery,
  planVersion,
  signature,
  transactionHash,
} from '../formats.ts'
import { memberRoute } from '../route.ts'

const status = z.union([
  z.literal(orderStatuses.failed),
  z.literal(orderStatuses.success),
  z.literal(orderStatuses.paying),
  z.literal(orderStatuses.confirming),
])

const method = z.union([
  z.literal(paymentMethods.online),
  z.literal(paymentMethods.balance),
  z.literal(paymentMethods.mixed),
])

/** A transfer out as its member sees it: its state, why it waits, and until when. */
export const transferOrder = z.object({
  id: orderId,
  type: z.literal(orderTypes.transferOut),
  status,
  state: z.enum(transferStates),
  symbol: asset,
  /** The amount that arrives. The fee is debited in addition. */
  amount,
  fee: amount,
  address,
  /** Whether the address is the member's own wallet. */
  own: z.boolean(),
  planVersion,
  requestedAt: moment,
  /** The current holds. `endsAt` is null if no time ends the hold, but operators or the signer's check must decide. */
  holds: z.array(z.object({ reason: z.enum(transferHoldReasons), endsAt: z.nullable(moment) })),
  /**
   * The reason why the transfer is not on its way yet, although nothing holds it. `until` is known only for a pause.
   * `late`: it has waited longer than usual.
   */
  queue: z.nullable(z.object({ reason: z.enum(queueReasons), until: z.nullable(moment), late: z.boolean() })),
  cancellable: z.boolean(),
  /** The steps so far, in order. A step that was undone is left out. */
  steps: z.array(z.object({ state: z.enum(transferStates), at: moment })),
  tx: z.nullable(transactionHash),
  /** The operators' note on a rejection. */
  note: z.nullable(z.string()),
})

/**
 * The arguments of the vault's `pay`. The vault accepts exactly these, once, up to and including the deadline. An order
 * always has the same quote and never a second one.
 */
const quote = z.object({
  /** The order's id on the chain, 32 bytes. */
  orderId: transactionHash,
  payer: address,
  token: address,
  /** In smallest units, as the contract expects. */
  amount: z.string().check(z.regex(/^[1-9][0-9]{0,38}$/)),
  /** In seconds of the chain's time. */
  deadline: z.int(),
  signature,
})

/** An order that is paid from the balance, online or both. */
const paidOrderFields = {
  id: orderId,
  status,
  state: z.enum(paidOrderStates),
  method,
  planVersion,
  symbol: asset,
  /** The price and its two parts: the one frozen from the balance, and the one to pay online. */
  amount,
  balancePart: amount,
  payAmount: amount,
  createdAt: moment,
  /** The last moment for payment; null if nothing is to be paid online. */
  deadline: z.nullable(moment),
  /** Present only in the state `paying`. */
  quote: z.nullable(quote),
  cancellable: z.boolean(),
  cancelledAt: z.nullable(moment),
  /** For a closing order: about when the frozen part is available again, unless a payment was sent. */
  closesAt: z.nullable(moment),
  /**
   * The last known chain transaction: the one that the client reported, the one seen on the chain, or the final one.
   */
  tx: z.nullable(transactionHash),
  endedAt: z.nullable(moment),
  failure: z.nullable(z.enum(orderFailures)),
}

export const promotionOrder = z.object({
  ...paidOrderFields,
  type: z.literal(orderTypes.promotion),
  /** The level that the order buys, and its computing power in TH/s. */
  level: z.int(),
  power: z.number(),
  /**
   * BTN. `paid` says whether the reserve could pay the whole airdrop. It is null until the order succeeds, and if the
   * airdrop is zero.
   */
  airdrop: z.object({ amount, paid: z.nullable(z.boolean()) }),
})

export const pledgeOrder = z.object({
  ...paidOrderFields,
  type: z.literal(orderTypes.pledge),
  /** The term in days, and its weight in basis points. */
  termDays: z.int(),
  termWeight: z.int(),
})

const anyPaidOrder = z.discriminatedUnion('type', [promotionOrder, pledgeOrder])

const paymentFields = {
  orderId,
  method,
  symbol: asset,
  amount,
  balancePart: amount,
  payAmount: amount,
  /**
   * `credited`: the payment arrived when the order could no longer be fulfilled, so it is in the balance as a deposit.
   */
  state: z.enum(paymentStates),
  tx: z.nullable(transactionHash),
  at: moment,
}

const payment = z.discriminatedUnion('type', [
  z.object({ ...paymentFields, type: z.literal(orderTypes.promotion), level: z.int() }),
  z.object({ ...paymentFields, type: z.literal(orderTypes.pledge), termDays: z.int() }),
])

/** Counted over all orders of this type, also those that the filter leaves out. */
const totals = { total: z.int(), successes: z.int() }

export const orderRoutes = {
  'order/list': memberRoute('GET', '/order/list', {
    summary: 'The member’s orders of one type, newest first',
    request: {
      ...pageQuery,
      type: z.enum(['1', '2', '3'] as const satisfies `${(typeof orderTypes)[keyof typeof orderTypes]}`[]),
      symbol: z.optional(asset),
      status: z.optional(z.enum(['0', '1', '2', '3'])),
    },
    data: z.discriminatedUnion('type', [
      z.object({
        type: z.literal(orderTypes.promotion),
        items: z.array(promotionOrder),
        next: z.nullable(z.string()),
        ...totals,
      }),
      z.object({
        type: z.literal(orderTypes.pledge),
        items: z.array(pledgeOrder),
        next: z.nullable(z.string()),
        ...totals,
      }),
      z.object({
        type: z.literal(orderTypes.transferOut),
        items: z.array(transferOrder),
        next: z.nullable(z.string()),
        ...totals,
      }),
    ]),
    exit: true,
  }),

  'order/detail': memberRoute('GET', '/order/detail', {
    summary: 'One order of the member',
    request: { id: orderId },
    data: z.discriminatedUnion('type', [promotionOrder, pledgeOrder, transferOrder]),
    refusals: ['order-unknown'],
    exit: true,
  }),

  'order/payments': memberRoute('GET', '/order/payments', {
    summary: 'What the member paid for orders, newest first',
    request: pageQuery,
    data: z.object({
      items: z.array(payment),
      next: z.nullable(z.string()),
      /** The number of all payments, and of those whose order succeeded. */
      total: z.int(),
      successes: z.int(),
    }),
    exit: true,
  }),

  'order/submitted': memberRoute('POST', '/order/submitted', {
    summary: 'Report the transaction that pays an order; it is shown until the pool sees the payment on the chain',
    request: { id: orderId, tx: transactionHash },
    data: anyPaidOrder,
    refusals: ['order-unknown', 'order-completed'],
  }),

  'order/cancel': memberRoute('POST', '/order/cancel', {
    summary:
      'Cancel an order that is not paid. It stays open until the chain shows that no payment arrived before the deadline',
    request: { key: idempotencyKey, id: orderId },
    data: anyPaidOrder,
    refusals: ['order-unknown', 'order-completed', 'key-conflict'],
    exit: true,
  }),
}
