import * as z from 'zod/mini'
import { dayStates, evidenceStates, orderFailures, pledgeStatuses } from '../enums.ts'
import {
  amount,
  fundPassword,
  idempotencyKey,
  moment,
  orderId,
  pageQuery,
  planVersion,
  transactionHash,
  wholeQuantity,
} from '../formats.ts'
import { memberRoute, openRoute } from '../route.ts'
import { pledgeOrder } from './order.ts'

/** A day, UTC, as the number of days since 1970-01-01. */
export const day = z.int()

/** The next day to close, and when. `until` is set if the day waits for operators or for evidence. */
const nextDay = z.object({ day, at: moment, state: z.enum(dayStates), until: z.nullable(moment) })

/** A whole number of at most 200 digits, as text, because it can be too large for a JSON number. */
const wholeNumber = z.string().check(z.regex(/^(0|[1-9][0-9]{0,199})$/))

/** A funding in BTC: its transaction on this chain, and the Bitcoin output that the funder names as its source. */
export const funding = z.object({
  tx: transactionHash,
  /** The day that the funder named. */
  day,
  amount,
  bitcoinTx: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  bitcoinOutput: z.int(),
  evidence: z.enum(evidenceStates),
  /** What the output is worth, in BTC; null unless the pool's Bitcoin node has found it. */
  bitcoinValue: z.nullable(amount),
})

export const pledgeRoutes = {
  'pledge/overview': memberRoute('GET', '/pledge/overview', {
    summary: 'What the member’s pledges weigh, what waits and what was collected, and the terms on offer',
    request: {},
    data: z.object({
      at: moment,
      today: day,
      /** Locked BTN. */
      pledged: amount,
      /** The member's effective pledge that runs today. */
      effective: amount,
      /** The effective pledges of all members that run today. */
      totalEffective: amount,
      /** The member's effective pledge that begins after today. */
      starting: amount,
      /** BTC that can be collected, and BTC that was collected or paid automatically so far. */
      produced: amount,
      collected: amount,
      /** The last closed day: the BTC that it shared out, and the member's part of it. */
      last: z.nullable(z.object({ day, shared: amount, amount, closedAt: moment })),
      /** Available BTN, from which a pledge can be paid. */
      available: amount,
      /** Null if the pool has no plan in force: nothing can be pledged. */
      plan: z.nullable(
        z.object({
          version: planVersion,
          /** A pledge is in whole BTN, and more than this. */
          above: amount,
          terms: z.array(z.object({ days: z.int(), weight: z.int() })),
          /** The first day of a pledge that is paid now. */
          startDay: day,
        }),
      ),
      /** The open order. There is at most one. */
      open: z.nullable(pledgeOrder),
    }),
    exit: true,
  }),

  'pledge/order': memberRoute('POST', '/pledge/order', {
    summary:
      'Order a pledge. What is paid from the balance is put aside at once and needs the fund password. There is no early end',
    request: {
      key: idempotencyKey,
      /** The plan version that the member saw. If another one is in force, the order is refused. */
      planVersion,
      /** Whole BTN. */
      quantity: wholeQuantity,
      termDays: z.int().check(z.positive()),
      /** BTN from the balance, from zero to the whole amount. */
      balancePart: amount,
      /** Needed if `balancePart` is more than zero. */
      password: z.optional(fundPassword),
    },
    data: pledgeOrder,
    refusals: [
      'account-disabled',
      'plan-none',
      'plan-changed',
      'order-open',
      'pledge-minimum',
      'pledge-term',
      'balance-part-range',
      'payments-unavailable',
      'vault-paused',
      'balance-insufficient',
      'fund-password-unset',
      'fund-password-locked',
      'fund-password-wrong',
      'key-conflict',
    ],
  }),

  'pledge/records': memberRoute('GET', '/pledge/records', {
    summary: 'The member’s pledge orders, each with its pledge once it is paid, newest first',
    request: { ...pageQuery, status: z.optional(z.enum(pledgeStatuses)) },
    data: z.object({
      items: z.array(
        z.object({
          /** The pledge has the same id as its order. */
          id: orderId,
          type: z.literal('pledge'),
          source: z.literal('pledge'),
          /** One of `pledgeStatuses`; a client that does not know it shows it as unknown. */
          status: z.string(),
          symbol: z.literal('BTN'),
          /** BTN, and the same times the weight of the term. */
          amount,
          effective: amount,
          termWeight: z.int(),
          at: moment,
          /** The first day, and the day after the last one; null until it is paid. */
          startDay: z.nullable(day),
          endDay: z.nullable(day),
          /** The present day of the term, and the length of the term. */
          day: z.int(),
          days: z.int(),
          /** BTC of its dividend: what waits, and what was paid into the balance. */
          produced: amount,
          collected: amount,
          /** When the BTN came back, and when the dividend was settled for good. */
          returnedAt: z.nullable(moment),
          settledAt: z.nullable(moment),
          /** Why the order failed, and the parts that it was to be paid with. */
          failure: z.nullable(z.enum(orderFailures)),
          balancePart: amount,
          payAmount: amount,
        }),
      ),
      next: z.nullable(z.string()),
    }),
    exit: true,
  }),

  'pledge/days': memberRoute('GET', '/pledge/days', {
    summary:
      'The member’s own line for each closed day on which it had a pledge, newest first, also for days that paid nothing',
    request: pageQuery,
    data: z.object({
      items: z.array(
        z.object({
          day,
          /** The weight of the member's pledges on that day, and the weight of all. */
          weight: wholeNumber,
          totalWeight: wholeNumber,
          /** BTC. */
          amount,
        }),
      ),
      next: z.nullable(z.string()),
    }),
    exit: true,
  }),

  'pledge/collect': memberRoute('POST', '/pledge/collect', {
    summary: 'Collect all waiting dividends of the member’s pledges into the balance',
    request: { key: idempotencyKey },
    /** BTC. */
    data: z.object({ amount }),
    refusals: ['collect-nothing', 'key-conflict'],
    exit: true,
  }),

  'pool/next-day': openRoute('GET', '/pool/next-day', {
    keptBy: 'anybody',
    summary:
      'The next production and what it waits for. Small, because every open app asks for it around the closing hour',
    request: {},
    data: z.object({
      at: moment,
      /** The last closed day. Null before the first. */
      closed: z.nullable(day),
      /** Null before a plan is published. */
      next: z.nullable(nextDay),
    }),
  }),

  'pool/days': openRoute('GET', '/pool/days', {
    keptBy: 'anybody',
    summary:
      'Every closed day, newest first, so that anybody can recompute every dividend. docs/production.md explains the letters',
    request: pageQuery,
    data: z.object({
      items: z.array(
        z.object({
          day,
          closedAt: moment,
          fundings: z.array(funding),
          F: amount,
          X: amount,
          T: amount,
          C: amount,
          Z: wholeNumber,
          S: wholeNumber,
          q: wholeNumber,
          A: wholeNumber,
          R: wholeNumber,
        }),
      ),
      next: z.nullable(z.string()),
    }),
  }),
}
