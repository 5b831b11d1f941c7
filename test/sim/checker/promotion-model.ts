import { parseUnits } from 'viem'
import { DECIMALS, type PlanFile } from '../stack/plan.ts'
import { KIND } from './books.ts'
import { accountLabel } from './moves.ts'
import type { MemberFigures, MemberRow, OrderRow, RewardRow } from './order-rows.ts'

const LAYERS = 5

type MutableMemberFigures = { -readonly [K in keyof MemberFigures]: MemberFigures[K] } & { activated: number[] }

export type ExpectedReward = Omit<RewardRow, 'order' | 'isClaimed'>

/** What a promotion must have done: the moves of its price, by account kind and owner, and the rewards. */
export type ExpectedPromotion = {
  readonly moved: ReadonlyMap<string, bigint>
  readonly rewards: readonly ExpectedReward[]
  readonly toMining: bigint
}

/**
 * The model of promotions. It repeats all of them in order, from the plan alone. `isExpert` is called for each at its
 * time.
 */
export class PromotionModel {
  readonly #people: ReadonlyMap<bigint, MemberRow>
  readonly #standings: ReadonlyMap<bigint, MutableMemberFigures>

  constructor(people: ReadonlyMap<bigint, MemberRow>) {
    this.#people = people
    this.#standings = new Map(Array.from(people.keys(), (id) => [id, emptyFigures()]))
  }

  figuresOf(id: bigint): MutableMemberFigures {
    const standing = this.#standings.get(id)
    if (!standing) throw new Error(`nobody is ${id}`)
    return standing
  }

  /** A level that a member got without buying it here. */
  raiseLevel(member: bigint): void {
    this.figuresOf(member).level += 1
    if (this.figuresOf(member).level === 1) this.#activate(member)
  }

  /** A Thanksgiving reward counts as income once it is claimed. */
  claim(member: bigint, amount: bigint): void {
    this.figuresOf(member).income += amount
  }

  settle(order: OrderRow, plan: PlanFile, isExpert: (member: bigint) => boolean): ExpectedPromotion {
    const level = order.level ?? 0
    const buyer = this.figuresOf(order.member)
    const moved = new Map<string, bigint>()
    const move = (kind: number, owner: bigint, amount: bigint) => {
      const sum = (moved.get(accountLabel(kind, owner)) ?? 0n) + amount
      if (sum === 0n) moved.delete(accountLabel(kind, owner))
      else moved.set(accountLabel(kind, owner), sum)
    }
    const share = (points: number): bigint => (order.amount * BigInt(points)) / 10_000n
    const rewards: ExpectedReward[] = []
    let left = order.amount
    const raiseLevel = (type: RewardRow['type'], member: bigint, layer: number | null, points: number) => {
      const amount = share(points)
      if (amount === 0n) return
      const failed = this.#reason(type, member, level, plan)
      rewards.push({ type, member, layer, points, amount, failed })
      if (failed !== null) return
      left -= amount
      if (type === 'agentReward') return move(KIND.agentUnclaimed, member, amount)
      move(KIND.available, member, amount)
      this.figuresOf(member).income += amount
      if (type === 'promotionReward') this.figuresOf(member).rewards += 1
    }
    const { allocation, upLevelLayers } = plan
    const { sponsor } = this.#person(order.member)
    const above = this.#above(order.member)
    if (sponsor !== null) raiseLevel('promotionReward', sponsor, null, allocation.promotion)
    for (const [index, { id }] of above.slice(0, upLevelLayers).entries())
      raiseLevel('upLevelReward', id, index + 1, allocation.upLevel / upLevelLayers)
    const expert = above.findIndex(({ id }) => isExpert(id))
    const nearest = above[expert]
    if (nearest) raiseLevel('agentReward', nearest.id, expert + 1, allocation.agent)
    for (const [kind, points] of [
      [KIND.partnerFunded, allocation.partner],
      [KIND.liquidity, allocation.liquidity],
      [KIND.operations, allocation.operations],
    ] as const) {
      move(kind, 0n, share(points))
      left -= share(points)
    }
    move(KIND.mining, 0n, left)
    move(KIND.frozenOrder, order.member, -order.part)
    move(KIND.vault, 0n, order.part - order.amount)

    buyer.level += 1
    buyer.power += order.power
    buyer.investment += order.amount
    if (buyer.level === 1) this.#activate(order.member)
    for (const { id } of above) this.figuresOf(id).performance += order.amount
    return { moved, rewards, toMining: left }
  }

  #activate(member: bigint): void {
    this.figuresOf(member).isActivated = true
    const { sponsor } = this.#person(member)
    if (sponsor !== null) this.figuresOf(sponsor).invites += 1
    for (const [index, { id, branch }] of this.#above(member).entries()) {
      const { activated } = this.figuresOf(id)
      const at = 3 * index + branch - 1
      activated[at] = (activated[at] ?? 0) + 1
    }
  }

  #reason(type: RewardRow['type'], member: bigint, bought: number, { levels }: PlanFile): string | null {
    const { level, rewards } = this.figuresOf(member)
    if (level === 0) return 'not-activated'
    if (level < bought) return 'level-below'
    const most = levels[level]?.rewardsAtMost ?? levels.at(-1)?.rewardsAtMost ?? 0
    return type === 'promotionReward' && rewards >= most ? 'count-reached' : null
  }

  /** The five members above, nearest first, each with the branch in which this member is. */
  #above(member: bigint): { id: bigint; branch: number }[] {
    const found: { id: bigint; branch: number }[] = []
    for (let below = this.#person(member); found.length < LAYERS && below.parent !== null; ) {
      found.push({ id: below.parent, branch: below.branch ?? 0 })
      below = this.#person(below.parent)
    }
    return found
  }

  #person(id: bigint): MemberRow {
    const person = this.#people.get(id)
    if (!person) throw new Error(`nobody is ${id}`)
    return person
  }
}

const emptyFigures = (): MutableMemberFigures => ({
  level: 0,
  power: 0,
  investment: 0n,
  income: 0n,
  rewards: 0,
  isActivated: false,
  invites: 0,
  performance: 0n,
  activated: Array.from({ length: 3 * LAYERS }, () => 0),
})

/** The plan's price and benefits of a level; null if the plan has no such level. */
export function termsOf(
  plan: PlanFile | undefined,
  level: number | null,
): { price: bigint; power: number; airdrop: bigint } | null {
  const found = level === null ? undefined : plan?.levels[level]
  if (!found) return null
  const [price, airdrop] = [parseUnits(found.price, DECIMALS.USDT), parseUnits(found.airdrop, DECIMALS.BTN)]
  return { price, power: found.power, airdrop }
}
