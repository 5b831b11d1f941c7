import { type Asset, assets, mulDivFloor, parseAmount, type Units } from '@lode/kernel'
import { allocationParts } from '@lode/wire'
import * as z from 'zod'
import type { Decimals } from '../../platform/config/pool-contracts.ts'
import { type PlanTerms, supplyParts, WHOLE_BASIS_POINTS } from './plan.ts'

/** A team has five layers. */
const MAX_LAYERS = 5
/** More levels than any price list needs, and few enough to show on a screen. */
const MAX_LEVELS = 30
const MAX_POWER = 1_000_000_000
const MAX_TERM_DAYS = 3_650
/** Ten times the normal weight of 10,000 basis points. A higher weight is a typing mistake. */
const MAX_TERM_WEIGHT = 100_000

const basisPoints = z.int().min(0).max(WHOLE_BASIS_POINTS)
const sumOf = (parts: readonly number[]): number => parts.reduce((sum, part) => sum + part, 0)

/** The schema of a written plan. It converts whole coins to smallest units, and refuses contradictory values. */
export function planSchema(decimals: Decimals) {
  const amounts: Amounts = {
    USDT: amountSchema('USDT', decimals),
    BTN: amountSchema('BTN', decimals),
    BTC: amountSchema('BTC', decimals),
  }
  return z
    .strictObject({
      levels: levelsSchema(amounts),
      allocation,
      supply: supplySchema(amounts),
      pledgeTerms,
      upLevelLayers: z.int().min(1).max(MAX_LAYERS),
      destruction: basisPoints,
      agentAirdrop: amounts.BTN,
      partnerAirdrop: amounts.BTN,
      pledgeAbove: amounts.BTN,
      transfer: z.strictObject({
        USDT: transferSchema(amounts.USDT),
        BTN: transferSchema(amounts.BTN),
        BTC: transferSchema(amounts.BTC),
      }),
      closeHour: z.int().min(0).max(23),
      dayFundingMax: amounts.BTC.refine((most) => most > 0n, 'must be above zero'),
      quoteMinutes: z.int().min(5).max(120),
    })
    .superRefine((plan, context) => {
      if (plan.allocation.upLevel % plan.upLevelLayers !== 0)
        context.addIssue(`allocation.upLevel cannot be divided equally among ${plan.upLevelLayers} layers`)
      if (plan.pledgeAbove % 10n ** BigInt(decimals.BTN) !== 0n)
        context.addIssue('pledgeAbove must be whole BTN, because pledges are')
      for (const { what, amount, from } of airdropsOf(plan)) {
        const reserve = mulDivFloor(plan.supply.issuance, BigInt(plan.supply[from]), BigInt(WHOLE_BASIS_POINTS))
        if (amount > reserve) context.addIssue(`${what} is more than the whole ${from} reserve of the supply`)
      }
    })
}

const amountSchema = <A extends Asset>(asset: A, decimals: Decimals) =>
  z.string().transform((text, context): Units<A> => {
    const amount = parseAmount(asset, decimals[asset], text)
    if (amount.ok) return amount.value
    context.addIssue(`"${text}" is no amount of ${asset}, which has ${decimals[asset]} decimals (${amount.error})`)
    return z.NEVER
  })

type AmountSchema<A extends Asset> = ReturnType<typeof amountSchema<A>>
type Amounts = { readonly [A in Asset]: AmountSchema<A> }

function levelsSchema({ USDT, BTN, BTC }: Amounts) {
  const level = z.strictObject({
    price: USDT,
    power: z.int().min(0).max(MAX_POWER),
    airdrop: BTN,
    rewardsAtMost: z.int().min(0).max(1_000_000),
    quotas: z.strictObject({ USDT, BTN, BTC }),
  })
  return z.tuple([level], level).superRefine((all, context) => {
    const [first, second] = all
    if (first.price > 0n || first.power > 0 || first.airdrop > 0n || first.rewardsAtMost > 0)
      context.addIssue('level 0 comes with registration: it costs and gives nothing')
    if (!second) context.addIssue('there must be a level to buy')
    if (all.length > MAX_LEVELS) context.addIssue(`there may be at most ${MAX_LEVELS} levels`)
    for (const [below, lower] of all.entries()) {
      const higher = all[below + 1]
      if (!higher) continue
      const must = (holds: boolean, requirement: string) => {
        if (!holds) context.addIssue(`level ${below + 1} must ${requirement} level ${below}`)
      }
      must(higher.price > lower.price, 'cost more than')
      must(higher.power > lower.power, 'have more power than')
      must(higher.airdrop >= lower.airdrop, 'not have a smaller airdrop than')
      must(higher.rewardsAtMost >= lower.rewardsAtMost, 'not have fewer rewards than')
      for (const asset of assets)
        must(higher.quotas[asset] >= lower.quotas[asset], `not have a lower quota of ${asset} than`)
    }
  })
}

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

const supplySchema = ({ BTN }: Amounts) =>
  z
    .strictObject({
      issuance: BTN,
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
  days: z.int().min(1).max(MAX_TERM_DAYS),
  weight: z.int().min(1).max(MAX_TERM_WEIGHT),
})

const pledgeTerms = z
  .array(pledgeTerm)
  .min(1)
  .max(20)
  .superRefine((terms, context) => {
    for (const [index, { days, weight }] of terms.entries()) {
      const longer = terms[index + 1]
      if (!longer) continue
      if (longer.days <= days) context.addIssue(`${longer.days} days come after ${days}: the shortest stands first`)
      if (longer.weight < weight) context.addIssue(`${longer.days} days must not weigh less than ${days}`)
    }
  })

const transferSchema = <A extends Asset>(amount: AmountSchema<A>) =>
  z
    .strictObject({ min: amount, max: amount, fee: amount, reviewAbove: amount, decisionAbove: amount })
    .superRefine(({ min, max, reviewAbove, decisionAbove }, context) => {
      if (min === 0n) context.addIssue('min must be above zero')
      if (min > max) context.addIssue('min must not be above max')
      if (reviewAbove > decisionAbove) context.addIssue('reviewAbove must not be above decisionAbove')
    })

type Airdrop = {
  readonly what: string
  readonly amount: Units<'BTN'>
  readonly from: 'airdrop' | 'promotion'
}

/** Which reserve pays each airdrop: `airdrop` for level 1, experts and partners; `promotion` for the other levels. */
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
