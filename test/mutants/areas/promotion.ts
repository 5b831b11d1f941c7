import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/server/src/modules/promotion'
const oneBlock = `${folder}/one-block.integration.test.ts`
const causes = `${folder}/causes.integration.test.ts`

export const promotion: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/rules.ts`,
    [`${folder}/rules.test.ts`],
    [
      ['upLevel: share(allocation.upLevel / upLevelLayers)', 'upLevel: share(allocation.upLevel)'],
      ['.filter(({ amount }) => amount > 0n)', '.filter(({ amount }) => amount >= 0n)'],
      ['const credited = rewards.filter(({ failed }) => failed === null)', 'const credited = rewards'],
      ['.slice(0, upLevelLayers)\n', '.slice(0, upLevelLayers + 1)\n'],
      ["reward('upLevelReward', member, index + 1,", "reward('upLevelReward', member, index,"],
      [
        'above.findIndex((member) => stateOf(member).expert)',
        'above.findLastIndex((member) => stateOf(member).expert)',
      ],
      ['if (level < boughtLevel)', 'if (level <= boughtLevel)'],
      ['rewards >= levelAt(plan, level).rewardsAtMost', 'rewards > levelAt(plan, level).rewardsAtMost'],
      ["type === 'promotionReward' && rewards >=", 'rewards >='],
      ["if (level === 0) return 'not-activated'", "if (level === 0) return 'level-below'"],
      ['shares.upLevel * BigInt(plan.upLevelLayers)', 'shares.upLevel * BigInt(plan.upLevelLayers - 1)'],
    ],
  ),
  ...mutantsOf(
    `${folder}/objections.ts`,
    [`${folder}/objections.test.ts`],
    [
      ['request.level !== level + 1', 'request.level <= level'],
      ['request.balancePart > plan.price', 'request.balancePart >= plan.price'],
      ['request.balancePart < plan.price && onlineRefusal', 'onlineRefusal'],
      ['request.balancePart > available', 'request.balancePart >= available'],
    ],
  ),
  ...mutantsOf(
    `${folder}/settle-promotions.ts`,
    [oneBlock],
    [
      ['rewards: stateOf(member).rewards + 1', 'rewards: stateOf(member).rewards'],
      ['{ ...buyer, level: order.level }', '{ ...buyer }'],
      ['buyer.level + 1 !== order.level', 'buyer.level >= order.level + 1'],
      ['order.balancePart > 0n ? [unfreezePosting(order)]', 'order.balancePart < 0n ? [unfreezePosting(order)]'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/rewards_by_plan.sql`,
    [oneBlock],
    [
      ['when member.level < of_order.level then', 'when member.level <= of_order.level then'],
      ['coalesce(tally.rewards, 0) >= (', 'coalesce(tally.rewards, 0) > ('],
      ["(terms #>> '{allocation,upLevel}')::int / up_level_layers", "(terms #>> '{allocation,upLevel}')::int"],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/mining_part.sql`,
    [oneBlock],
    [['where order_id = of_order.id and failed is null)', 'where order_id = of_order.id)']],
  ),
  ...mutantsOf(
    `${folder}/functions/promotion_legs.sql`,
    [causes],
    [
      [
        'select :account.pool:mining.USDT, cause.to_mining',
        'select :account.pool:mining.USDT, lode.mining_part(cause)',
      ],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/claim_legs.sql`,
    [causes],
    [
      [
        'select array[row(own + :account.available.USDT, amount), row(own + :account.agentUnclaimed.USDT, -amount)]::lode.leg[]\n    from lode.reward_claim',
        'select array[row(own + :account.available.USDT, amount - 1), row(own + :account.agentUnclaimed.USDT, 1 - amount)]::lode.leg[]\n    from lode.reward_claim',
      ],
    ],
  ),
]
