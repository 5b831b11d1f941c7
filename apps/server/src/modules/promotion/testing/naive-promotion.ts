/** The plan values that the model needs: ratios in basis points, amounts in smallest units. */
export type NaivePlan = {
  readonly mining: number
  readonly promotion: number
  readonly eachAbove: number
  readonly layers: number
  readonly agent: number
  readonly partner: number
  readonly liquidity: number
  readonly operations: number
  readonly rewardsAtMost: readonly number[]
}

export type NaiveMember = {
  readonly id: number
  readonly sponsor: number | null
  readonly parent: number | null
  expert: boolean
  level: number
  usdt: bigint
  frozen: bigint
  unclaimed: bigint
  btn: bigint
  power: number
  investment: bigint
  income: bigint
  promotionRewards: number
  activeInvites: number
  performance: bigint
}

export type NaiveReward = {
  readonly member: number
  readonly buyer: number
  readonly level: number
  readonly type: string
  readonly amount: bigint
  readonly failed: string | null
  claimed: boolean
}

export type NaivePurchase = {
  readonly member: number
  readonly level: number
  readonly price: bigint
  readonly fromBalance: bigint
  readonly power: number
  readonly airdrop: bigint
}

/**
 * A model of promotions, independent of the product's code. It computes every part in turn, and gives to the mining
 * fund whatever is left.
 */
export class NaivePromotion {
  readonly members = new Map<number, NaiveMember>()
  readonly rewards: NaiveReward[] = []
  readonly pool = { mining: 0n, partner: 0n, liquidity: 0n, operations: 0n, airdrop: 0n, promotion: 0n }

  add(id: number, sponsor: number | null, parent: number | null): void {
    this.members.set(id, {
      id,
      sponsor,
      parent,
      expert: false,
      level: 0,
      usdt: 0n,
      frozen: 0n,
      unclaimed: 0n,
      btn: 0n,
      power: 0,
      investment: 0n,
      income: 0n,
      promotionRewards: 0,
      activeInvites: 0,
      performance: 0n,
    })
  }

  member(id: number): NaiveMember {
    const member = this.members.get(id)
    if (!member) throw new Error(`nobody is ${id}`)
    return member
  }

  /** The price has left the wallet, or the frozen balance. Returns whether the airdrop was paid. */
  settle(plan: NaivePlan, { member, level, price, fromBalance, power, airdrop }: NaivePurchase): boolean {
    const buyer = this.member(member)
    if (buyer.level !== level - 1) throw new Error(`${member} is at ${buyer.level} and bought ${level}`)
    buyer.frozen -= fromBalance
    buyer.level = level
    buyer.power += power
    buyer.investment += price
    let left = price

    const part = (tenThousandths: number) => (price * BigInt(tenThousandths)) / 10_000n
    const give = (to: number, type: string, amount: bigint): void => {
      if (amount === 0n) return
      const receiver = this.member(to)
      const failed = this.#reason(plan, receiver, level, type === 'promotionReward')
      this.rewards.push({ member: to, buyer: member, level, type, amount, failed, claimed: false })
      if (failed !== null) return
      left -= amount
      if (type === 'agentReward') {
        receiver.unclaimed += amount
        return
      }
      receiver.usdt += amount
      receiver.income += amount
      if (type === 'promotionReward') receiver.promotionRewards += 1
    }

    if (buyer.sponsor !== null) give(buyer.sponsor, 'promotionReward', part(plan.promotion))
    const above = this.#above(member)
    for (const one of above.slice(0, plan.layers)) give(one, 'upLevelReward', part(plan.eachAbove))
    const expert = above.find((one) => this.member(one).expert)
    if (expert !== undefined) give(expert, 'agentReward', part(plan.agent))
    for (const name of ['partner', 'liquidity', 'operations'] as const) {
      this.pool[name] += part(plan[name])
      left -= part(plan[name])
    }
    this.pool.mining += left

    if (level === 1 && buyer.sponsor !== null) this.member(buyer.sponsor).activeInvites += 1
    for (const one of above) this.member(one).performance += price

    const reserve = level === 1 ? 'airdrop' : 'promotion'
    if (this.pool[reserve] < airdrop) return false
    this.pool[reserve] -= airdrop
    buyer.btn += airdrop
    return true
  }

  claim(id: number): bigint {
    const member = this.member(id)
    const amount = member.unclaimed
    for (const reward of this.rewards)
      if (reward.member === id && reward.type === 'agentReward' && reward.failed === null) reward.claimed = true
    member.usdt += amount
    member.income += amount
    member.unclaimed = 0n
    return amount
  }

  #reason(plan: NaivePlan, receiver: NaiveMember, bought: number, counted: boolean): string | null {
    if (receiver.level < 1) return 'not-activated'
    if (receiver.level < bought) return 'level-below'
    const most = plan.rewardsAtMost[receiver.level] ?? 0
    return counted && receiver.promotionRewards >= most ? 'count-reached' : null
  }

  #above(id: number): number[] {
    const above: number[] = []
    for (let at = this.member(id).parent; at !== null && above.length < 5; at = this.member(at).parent) above.push(at)
    return above
  }
}
