set local role lode_orders;

-- The rewards of a promotion, by the plan of its order and by the present levels and reward counts of the receivers. A
-- missed reward has the reason in `failed`. modules/promotion/rules.ts draws the division and computes the same; the
-- ledger accepts only a transaction on which both agree.
create or replace function lode.rewards_by_plan(of_order lode.pay_order)
  returns table (member_id bigint, type text, layer int, points int, amount numeric, failed text)
language plpgsql stable
set search_path = pg_catalog, pg_temp
-- With the settings of settle_promotion(), which calls it.
as $rewards$
declare
  terms jsonb := (select plan.body::jsonb from lode.plan where plan.version = of_order.plan_version);
  levels jsonb := terms -> 'levels';
  up_level_layers int := (terms -> 'upLevelLayers')::int;
begin
  return query
    with recursive up (id, layer) as (
      select place.parent_id, 1 from lode.team_place place where place.member_id = of_order.member_id
      union all
      select place.parent_id, up.layer + 1 from up join lode.team_place place on place.member_id = up.id where up.layer < 5
    ),
    receiver (id, type, layer, points) as (
      select buyer.sponsor_id, 'promotionReward', null::int, (terms #>> '{allocation,promotion}')::int
      from lode.member buyer where buyer.id = of_order.member_id
      union all
      select up.id, 'upLevelReward', up.layer, (terms #>> '{allocation,upLevel}')::int / up_level_layers
      from up where up.layer <= up_level_layers
      union all
      -- Only the nearest expert: if it is not eligible, no expert further up gets the reward.
      (select up.id, 'agentReward', up.layer, (terms #>> '{allocation,agent}')::int
       from up join lode.sharing_expert expert on expert.member_id = up.id order by up.layer limit 1)
    )
    select receiver.id, receiver.type, receiver.layer, receiver.points, div(of_order.amount * receiver.points, 10000),
           case
             when member.level = 0 then 'not-activated'
             when member.level < of_order.level then 'level-below'
             when receiver.type = 'promotionReward'
               and coalesce(tally.rewards, 0) >= (coalesce(levels -> member.level, levels -> -1) -> 'rewardsAtMost')::int then 'count-reached'
           end
    from receiver
    join lode.member on member.id = receiver.id
    left join lode.promotion_tally tally on tally.member_id = receiver.id
    where div(of_order.amount * receiver.points, 10000) > 0;
end
$rewards$;

revoke execute on function lode.rewards_by_plan from public;
