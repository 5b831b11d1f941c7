import { collectFindings } from '../../platform/db/collect-findings.ts'
import type { Database } from '../../platform/db/database.ts'
import { codeOf } from '../ledger/index.ts'

const PROMOTIONS_BY_MEMBER = `
  (select member_id, count(*) as promotions, sum(power) as power, sum(amount) as paid
   from lode.pay_order where type = ${codeOf('order.promotion')} and ended = 'success' group by member_id)`

/** SQL condition: the reward is in the member's balance. */
const IS_CREDITED = `failed is null and (type <> 'agentReward' or claimed_at is not null)`

/** The log line types of rewards. */
const REWARD_LINES = [codeOf('log.promotionReward'), codeOf('log.upLevelReward'), codeOf('log.agentReward')] as const
const [promotionReward, upLevelReward, agentReward] = REWARD_LINES

const CHECKS = {
  'holds another level than its promotions add up to': `
    select member.id from lode.member left join ${PROMOTIONS_BY_MEMBER} bought on bought.member_id = member.id
    where member.level <> coalesce(bought.promotions, 0)`,
  'counts other computing power or payments than its promotions add up to': `
    select coalesce(tally.member_id, bought.member_id) as id
    from lode.promotion_tally tally full join ${PROMOTIONS_BY_MEMBER} bought on bought.member_id = tally.member_id
    where coalesce(tally.power, 0) <> coalesce(bought.power, 0) or coalesce(tally.investment, 0) <> coalesce(bought.paid, 0)`,
  'counts other rewards than it was credited': `
    select coalesce(tally.member_id, reward.member_id) as id
    from lode.promotion_tally tally full join (
      select member_id, sum(amount) as income, count(*) filter (where type = 'promotionReward') as rewards
      from lode.reward where ${IS_CREDITED} group by member_id
    ) reward on reward.member_id = tally.member_id
    where coalesce(tally.income, 0) <> coalesce(reward.income, 0) or coalesce(tally.rewards, 0) <> coalesce(reward.rewards, 0)`,
  'has other rewards in the ledger than in its records': `
    select coalesce(line.member, reward.member) as id
    from (
      select member, type, sum(amount) as amount from lode.log_line
      where asset = ${codeOf('asset.USDT')} and type in (${REWARD_LINES.join(', ')}) group by 1, 2
    ) line
    full join (
      select member_id as member, sum(amount) as amount,
             case type when 'promotionReward' then ${promotionReward} when 'upLevelReward' then ${upLevelReward}
                       else ${agentReward} end::smallint as type
      from lode.reward where ${IS_CREDITED} group by member_id, type
    ) reward on reward.member = line.member and reward.type = line.type
    where coalesce(line.amount, 0) <> coalesce(reward.amount, 0)`,
  'has other Thanksgiving rewards waiting than in its records': `
    select coalesce(held.member, reward.member) as id
    from (select id >> 14 as member, balance from lode.ledger_account where (id >> 8) & 63 = ${codeOf('kind.agentUnclaimed')}) held
    full join (
      select member_id as member, sum(amount) as amount from lode.reward
      where type = 'agentReward' and failed is null and claimed_at is null group by member_id
    ) reward on reward.member = held.member
    where coalesce(held.balance, 0) <> coalesce(reward.amount, 0)`,
  'was given another airdrop for a promotion than its order says': `
    select coalesce(entry.member, recorded.member_id) as id
    from (
      select entry.member, entry.key, sum(posting.amount) as amount
      from lode.ledger_transaction entry
      join lode.posting on posting.transaction = entry.id and posting.member = entry.member
      where entry.type in (${codeOf('type.airdropForActive')}, ${codeOf('type.airdropForPromotion')}) group by 1, 2
    ) entry
    full join (
      select member_id, 'order:' || id || ':airdrop' as key, airdrop from lode.pay_order where airdrop_paid
    ) recorded on recorded.member_id = entry.member and recorded.key = entry.key
    where entry.amount is distinct from recorded.airdrop`,
} as const

/** Checks that levels, rewards and tallies agree with the orders and the ledger. */
export const promotionFindings = (db: Database): Promise<string[]> => collectFindings(db, CHECKS)
