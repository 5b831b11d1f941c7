set local role lode_orders;

-- Whether a reward's amount and receiver are what the plan gives: the inviter, the members above in the tree, or a
-- sharing expert among them. Missed rewards must pass this check too. It does not check whether a reward is rightly
-- given or missed: levels and reward counts decide that.
create or replace function lode.is_reward_by_plan(
  of_order lode.pay_order, of_member bigint, of_type text, of_layer int, of_points int, of_amount numeric
) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp
as $given$
  with recursive terms as (
    select (body::jsonb #>> '{allocation,promotion}')::int as promotion,
           (body::jsonb #>> '{allocation,upLevel}')::int as up_level, (body::jsonb ->> 'upLevelLayers')::int as layers,
           (body::jsonb #>> '{allocation,agent}')::int as agent
    from lode.plan where version = of_order.plan_version
  ),
  up (id, layer) as (
    select parent_id, 1 from lode.team_place where member_id = of_order.member_id
    union all
    select team_place.parent_id, up.layer + 1 from up join lode.team_place on team_place.member_id = up.id where up.layer < 5
  )
  select of_amount = div(of_order.amount * of_points, 10000) and case of_type
    when 'promotionReward' then
      of_points = promotion and of_member = (select sponsor_id from lode.member where id = of_order.member_id)
    when 'upLevelReward' then
      of_points * layers = up_level and of_layer <= layers and of_member = (select id from up where layer = of_layer)
    when 'agentReward' then
      of_points = agent and of_member = (select id from up where layer = of_layer)
        and exists (select from lode.sharing_expert where member_id = of_member)
  end
  from terms
$given$;

revoke execute on function lode.is_reward_by_plan from public;
