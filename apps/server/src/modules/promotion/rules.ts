import { mulDivFloor, type Units, units } from '@lode/kernel'
import type { AllocationPart, RewardFailure, RewardType } from '@lode/wire'
import { levelAt, type Plan, WHOLE_BASIS_POINTS } from '../plan/index.ts'

/**
 * How the price of a promotion is divided, by the plan version of the order:
 *
 *     price ──┬─ promotion ──────► the inviter                        ┐
 *             ├─ up-level ÷ n ───► each of the n ≤ 5 above in the tree│ if they are eligible; else to the mining
 *             ├─ Thanksgiving ───► the nearest sharing expert of      │ fund, and a missed reward says why
 *             │                    these five; waits until claimed    ┘
 *             ├─ partner, liquidity, operations
 *             └─ the mining fund: its own part, remainders of divisions, parts without a receiver
 *
 * Every part but the last is rounded down to the smallest unit, so that all parts add up to the price exactly.
 */

type Usdt = Units<'USDT'>

type PromotionPlan = Pick<Plan, 'allocation' | 'upLevelLayers' | 'levels'>

/** The amount of each part. In a preview `upLevel` is for all members above, otherwise for one. */
type Shares = { readonly [P in AllocationPart]: Usdt }

function sharesOf({ allocation, upLevelLayers }: PromotionPlan, price: Usdt): Omit<Shares, 'miningFund'> {
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

/** The parts shown before an order, as if every receiver existed and were eligible. */
export function computePreview(plan: PromotionPlan, price: Usdt): Shares {
  const shares = sharesOf(plan, price)
  const parts = { ...shares, upLevel: units('USDT', shares.upLevel * BigInt(plan.upLevelLayers)) }
  return { miningFund: units('USDT', price - sum(Object.values(parts))), ...parts }
}

// ---- rewards --------------------------------------------------------------------------------------------------------

/** What decides whether a member gets a reward when a promotion below it is settled. */
export type ReceiverState = {
  readonly level: number
  /** How many promotion rewards the member has ever got. */
  readonly rewards: number
  readonly expert: boolean
}

/** The members who may get a reward from a promotion. */
export type Receivers = {
  readonly sponsor: bigint | null
  /** The nearest first, at most five. */
  readonly above: readonly bigint[]
}

export type Reward = {
  readonly member: bigint
  readonly type: RewardType
  /** The member's layer in which the buyer stands; null for the inviter's reward. */
  readonly layer: number | null
  readonly basisPoints: number
  readonly amount: Usdt
  /** Why the reward is missed; null if it is not. */
  readonly failed: RewardFailure | null
}

export type Allocation = {
  readonly rewards: readonly Reward[]
  readonly partner: Usdt
  readonly liquidity: Usdt
  readonly operations: Usdt
  readonly miningFund: Usdt
}

type BoughtLevel = { readonly level: number; readonly price: Usdt }

/** Divides the price. The current levels and reward counts of the receivers decide which rewards are missed. */
export function allocate(
  plan: PromotionPlan,
  bought: BoughtLevel,
  receivers: Receivers,
  stateOf: (member: bigint) => ReceiverState,
): Allocation {
  const shares = sharesOf(plan, bought.price)
  const rewards = rewardsOf(plan, bought, receivers, stateOf).filter(({ amount }) => amount > 0n)
  const { partner, liquidity, operations } = shares
  const credited = rewards.filter(({ failed }) => failed === null).map(({ amount }) => amount)
  const miningFund = units('USDT', bought.price - sum([...credited, partner, liquidity, operations]))
  return { rewards, partner, liquidity, operations, miningFund }
}

function rewardsOf(
  plan: PromotionPlan,
  { level, price }: BoughtLevel,
  { sponsor, above }: Receivers,
  stateOf: (member: bigint) => ReceiverState,
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
    failed: failureOf(type, stateOf(member), level, plan),
  })
  const expertLayer = above.findIndex((member) => stateOf(member).expert)
  const expert = above[expertLayer]
  return [
    ...(sponsor === null ? [] : [reward('promotionReward', sponsor, null, shares.promotion, allocation.promotion)]),
    ...above
      .slice(0, upLevelLayers)
      .map((member, index) =>
        reward('upLevelReward', member, index + 1, shares.upLevel, allocation.upLevel / upLevelLayers),
      ),
    // Only the nearest expert: if it is not eligible, no expert further up gets the reward.
    ...(expert === undefined ? [] : [reward('agentReward', expert, expertLayer + 1, shares.agent, allocation.agent)]),
  ]
}

function failureOf(
  type: RewardType,
  { level, rewards }: ReceiverState,
  boughtLevel: number,
  plan: PromotionPlan,
): RewardFailure | null {
  if (level === 0) return 'not-activated'
  if (level < boughtLevel) return 'level-below'
  return type === 'promotionReward' && rewards >= levelAt(plan, level).rewardsAtMost ? 'count-reached' : null
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
