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
  page,
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

/** A transfer out, with all that its member may want to know of it: where it stands, why, and until when. */
export const transferOrder = z.object({
  id: orderId,
  type: z.literal(orderTypes.transferOut),
  status,
  state: z.enum(transferStates),
  symbol: asset,
  /** What arrives; the fee is debited beside it. */
  amount,
  fee: amount,
  address,
  /** Whether that is the member's own wallet. */
  own: z.boolean(),
  planVersion,
  requestedAt: moment,
  /** Every reason that holds it now, and its end; null where no time ends it: operators must decide, or all be found well. */
  holds: z.array(z.object({ reason: z.enum(transferHoldReasons), endsAt: z.nullable(moment) })),
  /**
   * What it waits for where nothing holds it and it is not on its way yet. `until` is known of a pause alone; `late`: for longer
   * than usual.
   */
  queue: z.nullable(z.object({ reason: z.enum(queueReasons), until: z.nullable(moment), late: z.boolean() })),
  cancellable: z.boolean(),
  /** What has happened, in its order. A step that was taken back is not there any more. */
  steps: z.array(z.object({ state: z.enum(transferStates), at: moment })),
  tx: z.nullable(transactionHash),
  /** What the operators said when they rejected it. */
  note: z.nullable(z.string()),
})

/**
 * What the vault's `pay` takes, exactly and once, up to and including the deadline. It is the same whenever an order is asked
 * for: no order ever has a second one.
 */
const quote = z.object({
  /** The order's id as the vault knows it, 32 bytes. */
  orderId: transactionHash,
  payer: address,
  token: address,
  /** In smallest units, as the contract takes it. */
  amount: z.string().check(z.regex(/^[1-9][0-9]{0,38}$/)),
  /** Seconds of the chain's time. */
  deadline: z.int(),
  signature,
})

/** An order that is paid for, from the balance, online or both. */
const paidOrder = {
  id: orderId,
  status,
  state: z.enum(paidOrderStates),
  method,
  planVersion,
  symbol: asset,
  /** The price, and its two parts: the one put aside from the balance, the one to pay online. */
  amount,
  balancePart: amount,
  payAmount: amount,
  createdAt: moment,
  /** Up to when it can be paid; null where nothing is to be paid online. */
  deadline: z.nullable(moment),
  /** While it can be paid. */
  quote: z.nullable(quote),
  cancellable: z.boolean(),
  cancelledAt: z.nullable(moment),
  /** Where it is closing: about when what was put aside is available again, unless a payment was sent. */
  closesAt: z.nullable(moment),
  /** What the wallet sent, as the client told; what is seen on the chain; what is final: the last that is known. */
  tx: z.nullable(transactionHash),
  endedAt: z.nullable(moment),
  failure: z.nullable(z.enum(orderFailures)),
}

export const promotionOrder = z.object({
  ...paidOrder,
  type: z.literal(orderTypes.promotion),
  /** The level that it buys, and its computing power in TH/s. */
  level: z.int(),
  power: z.number(),
  /** BTN. `paid` is null until the order succeeds; then whether the reserve could pay all of it. */
  airdrop: z.object({ amount, paid: z.nullable(z.boolean()) }),
})

export const pledgeOrder = z.object({
  ...paidOrder,
  type: z.literal(orderTypes.pledge),
  /** For how many days, and what that term weighs: 10,000 is once. */
  termDays: z.int(),
  termWeight: z.int(),
})

const anyPaidOrder = z.discriminatedUnion('type', [promotionOrder, pledgeOrder])

const paymentOf = {
  orderId,
  method,
  symbol: asset,
  amount,
  balancePart: amount,
  payAmount: amount,
  /** `credited`: it arrived, but what it was for was not to be had any more, so it is in the balance as a deposit. */
  state: z.enum(paymentStates),
  tx: z.nullable(transactionHash),
  at: moment,
}

const payment = z.discriminatedUnion('type', [
  z.object({ ...paymentOf, type: z.literal(orderTypes.promotion), level: z.int() }),
  z.object({ ...paymentOf, type: z.literal(orderTypes.pledge), termDays: z.int() }),
])

/** Of all that there are, whatever is filtered. */
const totals = { total: z.int(), successes: z.int() }

export const orderRoutes = {
  'order/list': memberRoute('GET', '/order/list', {
    summary: 'The member’s orders of one type, newest first',
    request: {
      ...page,
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
      }),
    ]),
    exit: true,
  }),

  'order/detail': memberRoute('GET', '/order/detail', {
    summary: 'One order of the member’s',
    request: { id: orderId },
    data: z.discriminatedUnion('type', [promotionOrder, pledgeOrder, transferOrder]),
    refusals: ['order-unknown'],
    exit: true,
  }),

  'order/payments': memberRoute('GET', '/order/payments', {
    summary: 'What the member paid for orders, newest first',
    request: page,
    data: z.object({
      items: z.array(payment),
      next: z.nullable(z.string()),
      /** Of all payments, and of those that are final. */
      total: z.int(),
      successes: z.int(),
    }),
    exit: true,
  }),

  'order/submitted': memberRoute('POST', '/order/submitted', {
    summary: 'Tell which transaction pays an order; it is shown until the chain itself tells',
    request: { id: orderId, tx: transactionHash },
    data: anyPaidOrder,
    refusals: ['order-unknown', 'order-completed'],
  }),

  'order/cancel': memberRoute('POST', '/order/cancel', {
    summary:
      'Cancel an order that is not paid. A payment that was sent already still counts: only the chain says that none was',
    request: { key: idempotencyKey, id: orderId },
    data: anyPaidOrder,
    refusals: ['order-unknown', 'order-completed', 'key-conflict'],
    exit: true,
  }),
}
