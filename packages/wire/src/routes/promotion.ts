import * as z from 'zod/mini'
import { allocationParts, rewardFailures, rewardStatuses, rewardTypes } from '../enums.ts'
import { addressTail, amount, fundPassword, idempotencyKey, moment, page, planVersion } from '../formats.ts'
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
  /** What may be transferred out in any 24 hours. */
  quotas: z.object({ USDT: amount, BTN: amount, BTC: amount }),
})

/** Where a price goes, part by part; the parts add up to it. */
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
      /** Members that this one invited, and those of them who are activated. */
      directReferrals: count,
      effectiveInvites: count,
      /** Promotion rewards credited so far, of as many as there can be at the present level. */
      rewards: z.object({ count, atMost: count }),
      /** USDT of all rewards in the balance so far. */
      income: amount,
      thanksgiving: z.object({ expert: z.boolean(), pending: amount }),
      /** USDT that a promotion can be paid from. */
      available: amount,
      /** Null where the pool has not published one: nothing can be ordered. */
      plan: z.nullable(
        z.object({
          version: planVersion,
          levels: z.array(level),
          /** Null at the highest. */
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
      /** The order that is open: there is at most one. */
      open: z.nullable(promotionOrder),
    }),
    exit: true,
  }),

  'promotion/order': memberRoute('POST', '/promotion/order', {
    summary: 'Order the next level. What is paid from the balance is put aside at once and needs the fund password',
    request: {
      key: idempotencyKey,
      /** What the member was shown: where either has changed, nothing is done. */
      planVersion,
      level: z.int().check(z.positive()),
      /** USDT from the balance, from nothing to the whole price. */
      balancePart: amount,
      /** Where the part is more than nothing. */
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
      ...page,
      status: z.optional(z.enum(rewardStatuses)),
      type: z.optional(z.enum(rewardTypes)),
    },
    data: z.object({
      items: z.array(
        z.object({
          id: z.string(),
          type: z.enum(rewardTypes),
          status: z.enum(rewardStatuses),
          /** USDT; of a failed one, what it would have been, which went to the mining fund. */
          amount,
          /** Whose promotion, by the end of the address, and to which level. */
          tail: addressTail,
          level: z.int(),
          /** The share of the price. */
          basisPoints: z.int(),
          /** In which of the member's layers that one stands; null where the reward is for having invited. */
          layer: z.nullable(z.int()),
          at: moment,
          claimedAt: z.nullable(moment),
          reason: z.nullable(z.enum(rewardFailures)),
        }),
      ),
      next: z.nullable(z.string()),
    }),
    exit: true,
  }),

  'promotion/claim': memberRoute('POST', '/promotion/claim', {
    summary: 'Claim all Thanksgiving rewards that wait, as an authorised sharing expert',
    request: { key: idempotencyKey },
    /** USDT, and how many rewards it was. */
    data: z.object({ amount, rewards: count }),
    refusals: ['expert-only', 'claim-nothing', 'key-conflict'],
    exit: true,
  }),
}
