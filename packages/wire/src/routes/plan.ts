import * as z from 'zod/mini'
import { allocationParts, planStandings } from '../enums.ts'
import { amount, moment, pageQuery, planVersion } from '../formats.ts'
import { openRoute } from '../route.ts'

const basisPoints = z.int().check(z.minimum(0), z.maximum(10_000))
const amountPerAsset = z.object({ USDT: amount, BTN: amount, BTC: amount })
const transferTerms = z.object({ min: amount, max: amount, fee: amount, reviewAbove: amount, decisionAbove: amount })

/** The plan as published: amounts in whole coins, ratios in basis points. */
const plan = z.object({
  /** Level 0 comes with registration; each other level is bought after the one before it. */
  levels: z.array(
    z.object({ price: amount, power: z.int(), airdrop: amount, rewardsAtMost: z.int(), quotas: amountPerAsset }),
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
  /** A pledge must be more than this. */
  pledgeAbove: amount,
  pledgeTerms: z.array(z.object({ days: z.int(), weight: z.int() })),
  transfer: z.object({ USDT: transferTerms, BTN: transferTerms, BTC: transferTerms }),
  closeHour: z.int(),
  dayFundingMax: amount,
  quoteMinutes: z.int(),
})

const version = { version: planVersion, publishedAt: moment, startsAt: moment }

/** A value that differs between two versions, by its path, such as `levels.2.price`; null if a version lacks it. */
const change = z.object({ path: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })

export const planRoutes = {
  'plan/current': openRoute('GET', '/plan/current', {
    keptBy: 'anybody',
    summary: 'The plan that is in force: prices, ratios, fees, minimums and quotas; and what is published for later',
    request: {},
    data: z.object({
      ...version,
      at: moment,
      plan,
      /** The announced versions, the next one first, each with its changes against the one in force. */
      coming: z.array(z.object({ ...version, changes: z.array(change) })),
    }),
    refusals: ['plan-none'],
  }),

  'plan/history': openRoute('GET', '/plan/history', {
    keptBy: 'anybody',
    summary: 'All versions of the plan, the newest first, and what each changed against the one before it',
    request: pageQuery,
    data: z.object({
      versions: z.array(
        z.object({
          ...version,
          standing: z.enum(planStandings),
          /** The version makes leaving harder, so it could start only after a week. */
          leavingHarder: z.boolean(),
          /** Empty for the first version. */
          changes: z.array(change),
        }),
      ),
      next: z.nullable(z.string()),
    }),
  }),
}
