import { type Asset, mulDivFloor, type Units, units } from '@lode/kernel'
import type { AllocationPart } from '@lode/wire'

/**
 * What the pool sells, pays and asks for, as its operators published it. A version is never edited: an order keeps the one that
 * it was made under. docs/plan.md says what each value means. Ratios are in basis points.
 */
export type Plan = PlanTerms & { readonly version: number }

export type PlanTerms = {
  /** By level, the lowest first. Nobody buys the first: it comes with registration. */
  readonly levels: readonly [Level, ...Level[]]
  /** Where a promotion payment goes: adds up to 10,000. */
  readonly allocation: { readonly [P in AllocationPart]: number }
  /** How many members above share `allocation.upLevel`, each the same. */
  readonly upLevelLayers: number
  readonly supply: { readonly issuance: Units<'BTN'> } & { readonly [P in SupplyPart]: number }
  /** The part of a fee in BTN that is burned. */
  readonly destruction: number
  readonly agentAirdrop: Units<'BTN'>
  readonly partnerAirdrop: Units<'BTN'>
  /** A pledge is of more than this. */
  readonly pledgeAbove: Units<'BTN'>
  readonly pledgeTerms: readonly PledgeTerm[]
  readonly transfer: { readonly [A in Asset]: TransferTerms<A> }
  /** The hour of UTC at which the day before is closed. */
  readonly closeHour: number
  /** The most that one day shares out, unless two operators approve more. */
  readonly dayFundingMax: Units<'BTC'>
  /** How long a quote can be paid. */
  readonly quoteMinutes: number
}

export type Level = {
  readonly price: Units<'USDT'>
  /** In TH/s. */
  readonly power: number
  readonly airdrop: Units<'BTN'>
  /** How many promotion rewards a member of this level ever gets. */
  readonly rewardsAtMost: number
  /** What may be transferred out in any 24 hours. */
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
  /** Above it the operators look at a transfer; above the second two of them must decide. */
  readonly reviewAbove: Units<A>
  readonly decisionAbove: Units<A>
}

/** Ten thousand of them are the whole. */
export const WHOLE_BASIS_POINTS = 10_000

/** Whoever is above the last level, which an earlier version had, has what the last has. */
export const levelAt = ({ levels }: Pick<PlanTerms, 'levels'>, level: number): Level =>
  levels[level] ?? levels.at(-1) ?? levels[0]

export const quotaAt = (plan: PlanTerms, level: number): Quotas => levelAt(plan, level).quotas

/** What of a transfer's fee is burned. Nothing but the pool's own token can be. */
export const burnedOf = <A extends Asset>({ transfer, destruction }: PlanTerms, asset: A): Units<A> =>
  asset === 'BTN' ? mulDivFloor(transfer[asset].fee, BigInt(destruction), BigInt(WHOLE_BASIS_POINTS)) : units(asset, 0n)
