import { type Asset, mulDivFloor, type Units, units } from '@lode/kernel'
import type { AllocationPart } from '@lode/wire'

/**
 * Every price, ratio, fee and limit of the pool, as its operators published it. A version is never edited: an order
 * keeps the version under which it was made. docs/plan.md explains each value. Ratios are in basis points.
 */
export type Plan = PlanTerms & { readonly version: number }

export type PlanTerms = {
  /** By level, the lowest first. Level 0 is not bought: it comes with registration. */
  readonly levels: readonly [Level, ...Level[]]
  /** The parts into which a promotion's price is divided. They add up to 10,000. */
  readonly allocation: { readonly [P in AllocationPart]: number }
  /** How many members above the buyer share `allocation.upLevel`, in equal parts. */
  readonly upLevelLayers: number
  readonly supply: { readonly issuance: Units<'BTN'> } & { readonly [P in SupplyPart]: number }
  /** The part of a fee in BTN that is burned. */
  readonly destruction: number
  readonly agentAirdrop: Units<'BTN'>
  readonly partnerAirdrop: Units<'BTN'>
  /** A pledge must be more than this. */
  readonly pledgeAbove: Units<'BTN'>
  readonly pledgeTerms: readonly PledgeTerm[]
  readonly transfer: { readonly [A in Asset]: TransferTerms<A> }
  /** The hour, UTC, at which the day before is closed. */
  readonly closeHour: number
  /** The most new funding that one day shares out, unless two operators approve more. As much carry can come on top. */
  readonly dayFundingMax: Units<'BTC'>
  /** How long a quote can be paid. */
  readonly quoteMinutes: number
}

export type Level = {
  readonly price: Units<'USDT'>
  /** In TH/s. */
  readonly power: number
  readonly airdrop: Units<'BTN'>
  /** How many promotion rewards a member of this level can get in total, including those at lower levels. */
  readonly rewardsAtMost: number
  /** How much may be transferred out in any 24 hours. */
  readonly quotas: Quotas
}

type Quotas = { readonly [A in Asset]: Units<A> }

export const supplyParts = ['airdrop', 'promotion', 'liquidity', 'mining'] as const
type SupplyPart = (typeof supplyParts)[number]

type PledgeTerm = { readonly days: number; readonly weight: number }

type TransferTerms<A extends Asset> = {
  readonly min: Units<A>
  readonly max: Units<A>
  readonly fee: Units<A>
  /** A transfer above `reviewAbove` is reviewed; above `decisionAbove` two operators must decide. */
  readonly reviewAbove: Units<A>
  readonly decisionAbove: Units<A>
}

/** The basis points that make a whole. */
export const WHOLE_BASIS_POINTS = 10_000

/** The terms of a level. If only an earlier plan version had this level, these are the terms of the last level. */
export const levelAt = ({ levels }: Pick<PlanTerms, 'levels'>, level: number): Level =>
  levels[level] ?? levels.at(-1) ?? levels[0]

export const quotaAt = (plan: PlanTerms, level: number): Quotas => levelAt(plan, level).quotas

/** The part of a transfer's fee that is burned. Only BTN can be burned. */
export const burnedFee = <A extends Asset>({ transfer, destruction }: PlanTerms, asset: A): Units<A> =>
  asset === 'BTN' ? mulDivFloor(transfer[asset].fee, BigInt(destruction), BigInt(WHOLE_BASIS_POINTS)) : units(asset, 0n)
