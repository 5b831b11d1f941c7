import * as z from 'zod/mini'
import { allocationParts, planStandings } from '../enums.ts'
import { amount, moment, page, planVersion } from '../formats.ts'
import { openRoute } from '../route.ts'

const basisPoints = z.int().check(z.minimum(0), z.maximum(10_000))
const ofEachAsset = z.object({ USDT: amount, BTN: amount, BTC: amount })
const transferTerms = z.object({ min: amount, max: amount, fee: amount, reviewAbove: amount, decisionAbove: amount })

/** As it was published: amounts in whole coins, ratios in basis points. */
const plan = z.object({
  /** The first comes with registration; each of the others is bought after the one before it. */
  levels: z.array(
    z.object({ price: amount, power: z.int(), airdrop: amount, rewardsAtMost: z.int(), quotas: ofEachAsset }),
  ),
  allocation: z.record(z.enum(allocationParts), basisPoints),
  upLevelLayers: z.int(),
  supply: z.object({
    issuance: amount,
    airdrop: basisPoints,
    promotion: basisPoints,
    liquidity: basisPoints,
    mining: basisPoints,
  }),
  destruction: basisPoints,
  agentAirdrop: amount,
  partnerAirdrop: amount,
  /** A pledge is of more than this. */
  pledgeAbove: amount,
  pledgeTerms: z.array(z.object({ days: z.int(), weight: z.int() })),
  transfer: z.object({ USDT: transferTerms, BTN: transferTerms, BTC: transferTerms }),
  closeHour: z.int(),
  dayFundingMax: amount,
  quoteMinutes: z.int(),
})

const version = { version: planVersion, publishedAt: moment, startsAt: moment }

/** A value that another version has otherwise, by its path in the plan, such as `levels.2.price`; null where it has none. */
const change = z.object({ path: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })

export const planRoutes = {
  'plan/current': openRoute('GET', '/plan/current', {
    summary: 'The plan that is in force: prices, ratios, fees, minimums and quotas; and what is published for later',
    request: {},
    data: z.object({
      ...version,
      at: moment,
      plan,
      /** The versions to come, the next first, each with what it changes against the one in force. */
      coming: z.array(z.object({ ...version, changes: z.array(change) })),
    }),
    refusals: ['plan-none'],
  }),

  'plan/history': openRoute('GET', '/plan/history', {
    summary: 'All versions of the plan, the newest first, and what each changed against the one before it',
    request: page,
    data: z.object({
      versions: z.array(
        z.object({
          ...version,
          standing: z.enum(planStandings),
          /** It made leaving harder, so it could not start before a week had passed. */
          leavingHarder: z.boolean(),
          /** Nothing for the first. */
          changes: z.array(change),
        }),
      ),
      next: z.nullable(z.string()),
    }),
  }),
}
