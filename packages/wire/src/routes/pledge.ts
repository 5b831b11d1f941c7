import * as z from 'zod/mini'
import { dayStates, pledgeStatuses } from '../enums.ts'
import {
  amount,
  fundPassword,
  idempotencyKey,
  moment,
  orderId,
  page,
  planVersion,
  transactionHash,
  wholeQuantity,
} from '../formats.ts'
import { memberRoute, openRoute } from '../route.ts'
import { pledgeOrder } from './order.ts'

/** A day of UTC by its number since 1970-01-01. */
const day = z.int()

/** A number that has no bound, in decimal digits. */
const wholeNumber = z.string().check(z.regex(/^(0|[1-9][0-9]{0,199})$/))

/** What was paid in for a day, in BTC: on this chain, and the Bitcoin output that it passes on, as the funder says. */
export const funding = z.object({
  tx: transactionHash,
  /** The day that it was meant for. */
  day,
  amount,
  bitcoinTx: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  bitcoinOutput: z.int(),
})

export const pledgeRoutes = {
  'pledge/overview': memberRoute('GET', '/pledge/overview', {
    summary: 'What the member’s pledges weigh and have produced so far, the next production, and the terms on offer',
    request: {},
    data: z.object({
      at: moment,
      today: day,
      /** BTN that is locked. */
      pledged: amount,
      /** BTN times the weight of its term, of what runs today: the member's, and everybody's. And the member's that begins later. */
      effective: amount,
      totalEffective: amount,
      starting: amount,
      /** BTC that can be collected, and that was collected or settled by itself so far. */
      produced: amount,
      collected: amount,
      /** Null before a plan was published. `until` where it waits for operators. */
      next: z.nullable(z.object({ day, at: moment, state: z.enum(dayStates), until: z.nullable(moment) })),
      /** The last day that is closed: what was shared out, and the member's part of it, in BTC. */
      last: z.nullable(z.object({ day, shared: amount, amount, closedAt: moment })),
      /** BTN that a pledge can be paid from. */
      available: amount,
      /** Null where the pool has not published one: nothing can be pledged. */
      plan: z.nullable(
        z.object({
          version: planVersion,
          /** A pledge is of whole BTN, and of more than this. */
          above: amount,
          terms: z.array(z.object({ days: z.int(), weight: z.int() })),
          /** On which day one would begin that is paid now. */
          startDay: day,
        }),
      ),
      /** The order that is open: there is at most one. */
      open: z.nullable(pledgeOrder),
    }),
    exit: true,
  }),

  'pledge/order': memberRoute('POST', '/pledge/order', {
    summary:
      'Order a pledge. What is paid from the balance is put aside at once and needs the fund password. There is no early end',
    request: {
      key: idempotencyKey,
      /** What the member was shown: where it has changed, nothing is done. */
      planVersion,
      /** Whole BTN. */
      quantity: wholeQuantity,
      termDays: z.int().check(z.positive()),
      /** BTN from the balance, from nothing to all of it. */
      balancePart: amount,
      /** Where the part is more than nothing. */
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
      'balance-insufficient',
      'fund-password-unset',
      'fund-password-locked',
      'fund-password-wrong',
      'key-conflict',
    ],
  }),

  'pledge/records': memberRoute('GET', '/pledge/records', {
    summary: 'The member’s pledges, newest first',
    request: { ...page, status: z.optional(z.enum(pledgeStatuses)) },
    data: z.object({
      items: z.array(
        z.object({
          /** Also its order's. */
          id: orderId,
          type: z.literal('pledge'),
          source: z.literal('pledge'),
          status: z.enum(pledgeStatuses),
          symbol: z.literal('BTN'),
          /** BTN, and times the weight of the term. */
          amount,
          effective: amount,
          termWeight: z.int(),
          at: moment,
          /** From the first day up to, and without, the second; null until it is paid. */
          startDay: z.nullable(day),
          endDay: z.nullable(day),
          /** On which day of how many it is. */
          day: z.int(),
          days: z.int(),
          /** BTC of its dividend: what waits, and what is in the balance. */
          produced: amount,
          collected: amount,
          /** When the BTN came back, and when the last of the dividend was settled. */
          returnedAt: z.nullable(moment),
          settledAt: z.nullable(moment),
        }),
      ),
      next: z.nullable(z.string()),
    }),
    exit: true,
  }),

  'pledge/days': memberRoute('GET', '/pledge/days', {
    summary: 'The member’s own line for each closed day on which it had a pledge, newest first, zero days too',
    request: page,
    data: z.object({
      items: z.array(
        z.object({
          day,
          /** What the member's pledges weighed on that day, of what all did. */
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
    summary: 'Take all that the member’s pledges have produced into the balance',
    request: { key: idempotencyKey },
    /** BTC. */
    data: z.object({ amount }),
    refusals: ['collect-nothing', 'key-conflict'],
    exit: true,
  }),

  'pool/days': openRoute('GET', '/pool/days', {
    summary:
      'Every closed day, newest first, by which anybody can reckon any dividend again. docs/production.md says what the letters mean',
    request: page,
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
