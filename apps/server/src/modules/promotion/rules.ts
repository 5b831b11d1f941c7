import { mulDivFloor, type Units, units } from '@lode/kernel'
import type { AllocationPart, RewardFailure, RewardType } from '@lode/wire'
import { levelAt, type Plan, WHOLE_BASIS_POINTS } from '../plan/index.ts'

/**
 * Where the price of a promotion goes, by the plan that it was ordered under:
 *
 *     price ──┬─ promotion ──────► the sponsor                        ┐
 *             ├─ up-level ÷ n ───► each of the n ≤ 5 above in the tree│ where they are eligible; else to the mining
 *             ├─ Thanksgiving ───► the nearest sharing expert of      │ fund, and a record says why
 *             │                    these five, until it claims it     ┘
 *             ├─ partner, liquidity, operations
 *             └─ the rest: what every division leaves, what has nobody to go to, the mining fund's own part
 *
 * Every part but the last is cut off at the smallest unit, so together they are the price to the unit.
 */

type Usdt = Units<'USDT'>

type PlanOfPromotion = Pick<Plan, 'allocation' | 'upLevelLayers' | 'levels'>

/** Each part; that of the five above is for one of them. */
type Shares = { readonly [P in AllocationPart]: Usdt }

function sharesOf({ allocation, upLevelLayers }: PlanOfPromotion, price: Usdt): Omit<Shares, 'miningFund'> {
  const share = (basisPoints: number) => mulDivFloor(price, BigInt(basisPoints), BigInt(WHOLE_BASIS_POINTS))
  return {
    promotion: share(allocation.promotion),
    upLevel: share(allocation.upLevel / upLevelLayers),
    agent: share(allocation.agent),
    partner: share(allocation.partner),
    liquidity: share(allocation.liquidity),
    operations: share(allocation.operations),
  }
}

/** As it is shown before it is ordered: as if everybody were there and eligible. */
export function previewOf(plan: PlanOfPromotion, price: Usdt): Shares {
  const shares = sharesOf(plan, price)
  const parts = { ...shares, upLevel: units('USDT', shares.upLevel * BigInt(plan.upLevelLayers)) }
  return { miningFund: units('USDT', price - sum(Object.values(parts))), ...parts }
}

// ---- who gets something ------------------------------------------------------------------------------------------------

/** What counts of a member when a promotion of somebody below is settled. */
export type Standing = {
  readonly level: number
  /** Promotion rewards ever credited. */
  readonly rewards: number
  readonly expert: boolean
}

/** Whom a promotion concerns. */
export type Concerned = {
  readonly sponsor: bigint | null
  /** The nearest first, five at most. */
  readonly above: readonly bigint[]
}

export type Reward = {
  readonly member: bigint
  readonly type: RewardType
  /** In which of the member's layers the buyer stands; null where it is for having invited. */
  readonly layer: number | null
  readonly basisPoints: number
  readonly amount: Usdt
  /** Why it is missed; null where it is not. */
  readonly failed: RewardFailure | null
}

export type Allocation = {
  readonly rewards: readonly Reward[]
  readonly partner: Usdt
  readonly liquidity: Usdt
  readonly operations: Usdt
  readonly miningFund: Usdt
}

type Bought = { readonly level: number; readonly price: Usdt }

/** Where the price goes, in the standing of everybody at this moment. */
export function allocate(
  plan: PlanOfPromotion,
  bought: Bought,
  concerned: Concerned,
  standingOf: (member: bigint) => Standing,
): Allocation {
  const shares = sharesOf(plan, bought.price)
  const rewards = rewardsOf(plan, bought, concerned, standingOf).filter(({ amount }) => amount > 0n)
  const { partner, liquidity, operations } = shares
  const credited = rewards.filter(({ failed }) => failed === null).map(({ amount }) => amount)
  const miningFund = units('USDT', bought.price - sum([...credited, partner, liquidity, operations]))
  return { rewards, partner, liquidity, operations, miningFund }
}

function rewardsOf(
  plan: PlanOfPromotion,
  { level, price }: Bought,
  { sponsor, above }: Concerned,
  standingOf: (member: bigint) => Standing,
): Reward[] {
  const { allocation, upLevelLayers } = plan
  const shares = sharesOf(plan, price)
  const reward = (
    type: RewardType,
    member: bigint,
    layer: number | null,
    amount: Usdt,
    basisPoints: number,
  ): Reward => ({
    member,
    type,
    layer,
    basisPoints,
    amount,
    failed: failureOf(type, standingOf(member), level, plan),
  })
  const expertLayer = above.findIndex((member) => standingOf(member).expert)
  const expert = above[expertLayer]
  return [
    ...(sponsor === null ? [] : [reward('promotionReward', sponsor, null, shares.promotion, allocation.promotion)]),
    ...above
      .slice(0, upLevelLayers)
      .map((member, place) =>
        reward('upLevelReward', member, place + 1, shares.upLevel, allocation.upLevel / upLevelLayers),
      ),
    // The nearest alone: where it is not eligible nobody further up is.
    ...(expert === undefined ? [] : [reward('agentReward', expert, expertLayer + 1, shares.agent, allocation.agent)]),
  ]
}

function failureOf(
  type: RewardType,
  { level, rewards }: Standing,
  bought: number,
  plan: PlanOfPromotion,
): RewardFailure | null {
  if (level === 0) return 'not-activated'
  if (level < bought) return 'level-below'
  return type === 'promotionReward' && rewards >= levelAt(plan, level).rewardsAtMost ? 'count-reached' : null
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
