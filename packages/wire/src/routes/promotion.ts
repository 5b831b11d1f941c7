import * as z from 'zod/mini'
import { allocationParts, rewardFailures, rewardStatuses, rewardTypes } from '../enums.ts'
import {
  addressTail,
  amount,
  fundPassword,
  idempotencyKey,
  moment,
  opaqueId,
  pageQuery,
  planVersion,
} from '../formats.ts'
import { memberRoute } from '../route.ts'
import { promotionOrder } from './order.ts'

const count = z.int()

/** TH/s. */
const power = z.number()

const level = z.object({
  level: z.int(),
  /** USDT. */
  price: amount,
  power,
  /** BTN. */
  airdrop: amount,
  rewardsAtMost: count,
  /** How much may be transferred out in any 24 hours. */
  quotas: z.object({ USDT: amount, BTN: amount, BTC: amount }),
})

/** The parts of a price; they add up to it. */
const share = z.object({ part: z.enum(allocationParts), basisPoints: z.int(), amount })

export const promotionRoutes = {
  'promotion/overview': memberRoute('GET', '/promotion/overview', {
    summary: 'The ladder of levels, what the next one costs and where its price goes, and what the member has so far',
    request: {},
    data: z.object({
      at: moment,
      level: z.int(),
      power,
      /** USDT that the member paid for promotions. */
      investment: amount,
      /** Members whom this one invited, and the activated ones among them. */
      directReferrals: count,
      effectiveInvites: count,
      /** Promotion rewards credited so far, and the most at the present level. */
      rewards: z.object({ count, atMost: count }),
      /** USDT of all rewards credited so far. */
      income: amount,
      thanksgiving: z.object({ expert: z.boolean(), pending: amount }),
      /** Available USDT, from which a promotion can be paid. */
      available: amount,
      /** Null if the pool has no plan in force: nothing can be ordered. */
      plan: z.nullable(
        z.object({
          version: planVersion,
          levels: z.array(level),
          /** Null at the highest level. */
          next: z.nullable(
            z.object({
              level: z.int(),
              price: amount,
              shares: z.array(share),
              /** Whether the reserve could pay the airdrop now. */
              airdropFunded: z.boolean(),
            }),
          ),
        }),
      ),
      /** The open order. There is at most one. */
      open: z.nullable(promotionOrder),
    }),
    exit: true,
  }),

  'promotion/order': memberRoute('POST', '/promotion/order', {
    summary: 'Order the next level. What is paid from the balance is put aside at once and needs the fund password',
    request: {
      key: idempotencyKey,
      /** The plan version and the level that the member saw. If either has changed, the order is refused. */
      planVersion,
      level: z.int().check(z.positive()),
      /** USDT from the balance, from zero to the whole price. */
      balancePart: amount,
      /** Needed if `balancePart` is more than zero. */
      password: z.optional(fundPassword),
    },
    data: promotionOrder,
    refusals: [
      'account-disabled',
      'plan-none',
      'plan-changed',
      'order-open',
      'level-not-next',
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

  'promotion/rewards': memberRoute('GET', '/promotion/rewards', {
    summary: 'The member’s reward records, newest first; one that failed says why',
    request: {
      ...pageQuery,
      status: z.optional(z.enum(rewardStatuses)),
      type: z.optional(z.enum(rewardTypes)),
    },
    data: z.object({
      items: z.array(
        z.object({
          id: opaqueId,
          type: z.enum(rewardTypes),
          /** One of `rewardStatuses`; a client that does not know it shows it as unknown. */
          status: z.string(),
          /** USDT. For a missed reward: the amount that went to the mining fund instead. */
          amount,
          /** The buyer's address tail, and the level bought. */
          tail: addressTail,
          level: z.int(),
          /** The share of the price, in basis points. */
          basisPoints: z.int(),
          /** The member's layer in which the buyer stands; null for the inviter's reward. */
          layer: z.nullable(z.int()),
          at: moment,
          claimedAt: z.nullable(moment),
          reason: z.nullable(z.enum(rewardFailures)),
          /**
           * USDT in the balance right after the reward was credited. A claim credits all waiting Thanksgiving rewards
           * at once. Null if the reward was missed or still waits.
           */
          balanceAfter: z.nullable(amount),
          /** The id of the line in the USDT log that credited it; null if it was missed or still waits. */
          line: z.nullable(z.string()),
        }),
      ),
      next: z.nullable(z.string()),
    }),
    exit: true,
  }),

  'promotion/claim': memberRoute('POST', '/promotion/claim', {
    summary: 'Claim all Thanksgiving rewards that wait, as an authorised sharing expert',
    request: { key: idempotencyKey },
    /** USDT, and the number of rewards. */
    data: z.object({ amount, rewards: count }),
    refusals: ['expert-only', 'claim-nothing', 'key-conflict'],
    exit: true,
  }),
}
