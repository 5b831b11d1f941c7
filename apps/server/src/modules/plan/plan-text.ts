import { type Asset, assets, mulDivFloor, ok, parseAmount, type Result, refused, type Units } from '@lode/kernel'
import { allocationParts } from '@lode/wire'
import * as z from 'zod'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import { canonicalJson } from '../operators/index.ts'
import { type PlanTerms, supplyParts, WHOLE_BASIS_POINTS } from './plan.ts'

/**
 * A plan as it is written: JSON, amounts in whole coins. It is looked at as a whole before anybody signs it, and has one
 * spelling, whose hash is what is signed.
 */

export type WrittenPlan = z.input<ReturnType<typeof schemaOf>>

export type ReadPlan = {
  readonly terms: PlanTerms
  readonly written: WrittenPlan
  /** The one spelling of it. */
  readonly text: string
}

/** Every objection, in words for whoever wrote it. */
export function readPlanText(text: string, decimals: Decimals): Result<ReadPlan, string[]> {
  const content = contentOf(text)
  if (!content.ok) return content
  const parsed = schemaOf(decimals).safeParse(content.value)
  if (!parsed.success) return refused(parsed.error.issues.map(inWords))
  // What the schema has let pass is of its input, and has nothing in it that has no spelling.
  const written = content.value as WrittenPlan
  return ok({ terms: parsed.data, written, text: canonicalJson(written) })
}

function contentOf(text: string): Result<unknown, string[]> {
  try {
    return ok(JSON.parse(text))
  } catch (error) {
    return refused([`it is not JSON: ${error instanceof Error ? error.message : error}`])
  }
}

const inWords = ({ path, message }: { path: PropertyKey[]; message: string }): string =>
  path.length === 0 ? message : `${path.join('.')}: ${message}`

/** The team follows five layers, and no more. */
const MOST_LAYERS = 5
/** More than any price list has, and few enough to show. */
const MOST_LEVELS = 30
const MOST_POWER = 1_000_000_000
const LONGEST_TERM_DAYS = 3_650
/** Ten times: a weight beyond it is a slip of the pen. */
const HIGHEST_WEIGHT = 100_000

const basisPoints = z.int().min(0).max(WHOLE_BASIS_POINTS)
const sumOf = (parts: readonly number[]): number => parts.reduce((sum, part) => sum + part, 0)

function schemaOf(decimals: Decimals) {
  const amountOf = <A extends Asset>(asset: A) =>
    z.string().transform((text, context): Units<A> => {
      const amount = parseAmount(asset, decimals[asset], text)
      if (amount.ok) return amount.value
      context.addIssue(`"${text}" is no amount of ${asset}, which has ${decimals[asset]} decimals (${amount.error})`)
      return z.NEVER
    })
  const [usdt, btn, btc] = [amountOf('USDT'), amountOf('BTN'), amountOf('BTC')]

  const level = z.strictObject({
    price: usdt,
    power: z.int().min(0).max(MOST_POWER),
    airdrop: btn,
    rewardsAtMost: z.int().min(0).max(1_000_000),
    quotas: z.strictObject({ USDT: usdt, BTN: btn, BTC: btc }),
  })

  const levels = z.tuple([level], level).superRefine((all, context) => {
    const [first, second] = all
    if (first.price > 0n || first.power > 0 || first.airdrop > 0n || first.rewardsAtMost > 0)
      context.addIssue('level 0 comes with registration: it costs and gives nothing')
    if (!second) context.addIssue('there must be a level to buy')
    if (all.length > MOST_LEVELS) context.addIssue(`there may be ${MOST_LEVELS} at most`)
    for (const [below, lower] of all.entries()) {
      const higher = all[below + 1]
      if (!higher) continue
      const must = (holds: boolean, what: string) => {
        if (!holds) context.addIssue(`level ${below + 1} must ${what} level ${below}`)
      }
      must(higher.price > lower.price, 'cost more than')
      must(higher.power > lower.power, 'have more power than')
      must(higher.airdrop >= lower.airdrop, 'not have a smaller airdrop than')
      must(higher.rewardsAtMost >= lower.rewardsAtMost, 'not have fewer rewards than')
      for (const asset of assets)
        must(higher.quotas[asset] >= lower.quotas[asset], `not have a lower quota of ${asset} than`)
    }
  })

  const allocation = z
    .strictObject({
      miningFund: basisPoints,
      promotion: basisPoints,
      upLevel: basisPoints,
      agent: basisPoints,
      partner: basisPoints,
      liquidity: basisPoints,
      operations: basisPoints,
    })
    .superRefine((parts, context) => {
      const sum = sumOf(allocationParts.map((part) => parts[part]))
      if (sum !== WHOLE_BASIS_POINTS) context.addIssue(`adds up to ${sum}, not to ${WHOLE_BASIS_POINTS}`)
    })

  const supply = z
    .strictObject({
      issuance: btn,
      airdrop: basisPoints,
      promotion: basisPoints,
      liquidity: basisPoints,
      mining: basisPoints,
    })
    .superRefine((parts, context) => {
      const sum = sumOf(supplyParts.map((part) => parts[part]))
      if (sum !== WHOLE_BASIS_POINTS) context.addIssue(`adds up to ${sum}, not to ${WHOLE_BASIS_POINTS}`)
      if (parts.issuance === 0n) context.addIssue('issuance must be above zero')
    })

  const pledgeTerm = z.strictObject({
    days: z.int().min(1).max(LONGEST_TERM_DAYS),
    weight: z.int().min(1).max(HIGHEST_WEIGHT),
  })
  const pledgeTerms = z
    .array(pledgeTerm)
    .min(1)
    .max(20)
    .superRefine((terms, context) => {
      for (const [at, { days, weight }] of terms.entries()) {
        const longer = terms[at + 1]
        if (!longer) continue
        if (longer.days <= days) context.addIssue(`${longer.days} days come after ${days}: the shortest stands first`)
        if (longer.weight < weight) context.addIssue(`${longer.days} days must not weigh less than ${days}`)
      }
    })

  const termsOf = <A extends Asset>(asset: A) => {
    const amount = amountOf(asset)
    return z
      .strictObject({ min: amount, max: amount, fee: amount, reviewAbove: amount, decisionAbove: amount })
      .superRefine(({ min, max, reviewAbove, decisionAbove }, context) => {
        if (min === 0n) context.addIssue('min must be above zero')
        if (min > max) context.addIssue('min must not be above max')
        if (reviewAbove > decisionAbove) context.addIssue('reviewAbove must not be above decisionAbove')
      })
  }

  return z
    .strictObject({
      levels,
      allocation,
      supply,
      pledgeTerms,
      upLevelLayers: z.int().min(1).max(MOST_LAYERS),
      destruction: basisPoints,
      agentAirdrop: btn,
      partnerAirdrop: btn,
      pledgeAbove: btn,
      transfer: z.strictObject({ USDT: termsOf('USDT'), BTN: termsOf('BTN'), BTC: termsOf('BTC') }),
      closeHour: z.int().min(0).max(23),
      dayFundingMax: btc.refine((most) => most > 0n, 'must be above zero'),
      quoteMinutes: z.int().min(5).max(120),
    })
    .superRefine((plan, context) => {
      if (plan.allocation.upLevel % plan.upLevelLayers !== 0)
        context.addIssue(`allocation.upLevel cannot be divided equally among ${plan.upLevelLayers} layers`)
      if (plan.pledgeAbove % 10n ** BigInt(decimals.BTN) !== 0n)
        context.addIssue('pledgeAbove must be whole: pledges are')
      for (const { what, amount, from } of airdropsOf(plan)) {
        const reserve = mulDivFloor(plan.supply.issuance, BigInt(plan.supply[from]), BigInt(WHOLE_BASIS_POINTS))
        if (amount > reserve) context.addIssue(`${what} is more than the whole ${from} reserve of the supply`)
      }
    })
}

type Airdrop = {
  readonly what: string
  readonly amount: Units<'BTN'>
  readonly from: 'airdrop' | 'promotion'
}

/** Which reserve each is paid from: the first level, experts and partners from one, the levels after it from the other. */
function airdropsOf({
  levels,
  agentAirdrop,
  partnerAirdrop,
}: Pick<PlanTerms, 'levels' | 'agentAirdrop' | 'partnerAirdrop'>): Airdrop[] {
  return [
    ...levels.map(({ airdrop }, level): Airdrop => {
      const from = level === 1 ? 'airdrop' : 'promotion'
      return { what: `levels.${level}.airdrop`, amount: airdrop, from }
    }),
    { what: 'agentAirdrop', amount: agentAirdrop, from: 'airdrop' },
    { what: 'partnerAirdrop', amount: partnerAirdrop, from: 'airdrop' },
  ]
}
