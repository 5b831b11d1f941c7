-- Promotions: who is at which level, and what others get for it. docs/promotion.md draws it.
--
-- Nobody gets a level but by lode.settle_promotion, together with the order that buys it. The postings are made by the same
-- transaction; the ledger sees to it that they add up.

grant create on schema lode to lode_team, lode_orders;
grant update (level) on lode.member to lode_orders;

set local role lode_ledger;
grant select (id, member, key, type) on lode.ledger_transaction to lode_orders;
grant select (member, transaction, amount) on lode.posting to lode_orders;
reset role;

set local role lode_team;

-- Locks everybody whom promotions of these buyers concern: each buyer, the five above it, its sponsor. Answers who they are; the
-- sponsor, who stands somewhere above, has no layer where that is beyond the fifth.
--
-- Everybody takes these rows upward. Where there are several buyers they are taken by depth, the deepest first, and of one depth by id:
-- that is upward too, for whoever counts along one path, and one order for all who come with several.
create function lode.lock_places(buyers bigint[]) returns table (buyer bigint, above bigint, layer int, is_sponsor boolean)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $lock$
declare
  sponsor bigint;
  place bigint;
  concerned bigint[];
begin
  if cardinality(buyers) = 1 then
    place := buyers[1];
    select sponsor_id into sponsor from lode.member where id = place;
    for step in 0..5 loop
      exit when place is null;
      concerned := concerned || place;
      select parent_id into strict place from lode.team_place where member_id = place for no key update;
    end loop;
    if sponsor <> all (concerned) then
      perform from lode.team_place where member_id = sponsor for no key update;
    end if;
  else
    for place in
      with recursive up (id, step) as (
        select given.id, 0 from unnest(buyers) as given (id)
        union
        select team_place.parent_id, up.step + 1
        from up join lode.team_place on team_place.member_id = up.id
        where up.step < 5 and team_place.parent_id is not null
      )
      select team_place.member_id
      from (select up.id from up union select sponsor_id from lode.member where member.id = any (buyers)) wanted
      join lode.team_place on team_place.member_id = wanted.id
      order by team_place.depth desc, team_place.member_id
    loop
      perform from lode.team_place where member_id = place for no key update;
    end loop;
  end if;

  return query
    with recursive up (buyer, id, step) as (
      select given.id, team_place.parent_id, 1
      from unnest(buyers) as given (id) join lode.team_place on team_place.member_id = given.id
      union all
      select up.buyer, team_place.parent_id, up.step + 1
      from up join lode.team_place on team_place.member_id = up.id
      where up.step < 5
    )
    select up.buyer, up.id, up.step, up.id is not distinct from member.sponsor_id
    from up join lode.member on member.id = up.buyer
    where up.id is not null
    union all
    select member.id, member.sponsor_id, null, true
    from lode.member
    where member.id = any (buyers) and member.sponsor_id is not null
      and not exists (select from up where up.buyer = member.id and up.id = member.sponsor_id);
end
$lock$;

grant select on lode.team_place to lode_orders;
grant execute on function lode.add_activation, lode.add_performance to lode_orders;
revoke execute on function lode.lock_places from public;
grant execute on function lode.lock_places to lode_api, lode_worker;

reset role;
set local role lode_orders;

-- Members whom two operators authorised; they alone get the Thanksgiving reward.
create table lode.sharing_expert (
  member_id bigint primary key references lode.member,
  authorised_at timestamptz not null default lode.now()
);

-- What a member has come to by promotions, its own and others'. No row: nothing yet.
create table lode.promotion_tally (
  member_id bigint primary key references lode.member,
  power numeric not null default 0 check (power >= 0),
  -- Smallest units of USDT that it paid for promotions, and that it got for others'.
  investment numeric not null default 0 check (investment >= 0),
  income numeric not null default 0 check (income >= 0),
  -- Promotion rewards ever credited.
  rewards int not null default 0 check (rewards >= 0)
) with (fillfactor = 80);

-- What a promotion brought to somebody else, or would have brought.
create table lode.reward (
  member_id bigint not null references lode.member,
  id bigint generated always as identity,
  order_id uuid not null references lode.pay_order,
  type text not null check (type in ('promotionReward', 'upLevelReward', 'agentReward')),
  -- In which of the member's layers the buyer stands; null where it is for having invited.
  layer smallint check (layer between 1 and 5),
  basis_points smallint not null check (basis_points between 1 and 10000),
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  -- Why it went to the mining fund instead.
  failed text check (failed in ('not-activated', 'level-below', 'count-reached')),
  at timestamptz not null default lode.now(),
  claimed_at timestamptz,
  primary key (member_id, id),
  unique (order_id, type, member_id),
  check ((type = 'promotionReward') = (layer is null)),
  check (failed is null or claimed_at is null),
  check (claimed_at is null or type = 'agentReward')
);

create index reward_by_type on lode.reward (member_id, type, id);
create index reward_failed on lode.reward (member_id, id) where failed is not null;
create index reward_unclaimed on lode.reward (member_id, id)
  where type = 'agentReward' and failed is null and claimed_at is null;

-- Whether what a promotion brings is what its plan gives, and to whom: the sponsor, those above in the tree, a sharing expert among them.
-- Why somebody is left out is not asked here: nobody gets more by it.
create function lode.is_reward_by_plan(
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

-- Ends a promotion with success: the level, the order's row, the rewards, what everybody has come to, and what the team counts. The caller
-- holds the places of all whom it concerns, and has posted what it costs and what comes of it, all in one transaction.
create function lode.settle_promotion(
  of_id uuid, by_tx bytea, by_log_index int, at_time timestamptz, mining numeric, airdrop_was_paid boolean,
  reward_members bigint[], reward_types text[], reward_layers int[], reward_points int[], reward_amounts numeric[],
  reward_failures text[]
) returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $settle$
declare
  present lode.pay_order;
  in_books text;
  booked bigint;
begin
  select * into present from lode.pay_order where id = of_id and type = 1 and ended is null for no key update;
  if not found then raise exception 'order % is no open promotion', of_id; end if;
  -- What is to be paid online is paid when the chain says so, which is the worker's to hear.
  if (present.deadline is null) <> (by_tx is null) or (by_tx is not null and session_user = 'lode_api') then
    raise exception 'order % is not paid like this', of_id;
  end if;
  -- And it is in the books, as what it is.
  if by_tx is null then
    in_books := 'order:' || of_id || ':settle';
    select id into booked from lode.ledger_transaction where member = present.member_id and key = in_books and type = 12;
  else
    in_books := (select 'chain:' || chain_id from lode.chain_state) || ':0x' || encode(by_tx, 'hex') || ':' || by_log_index;
    select id into booked from lode.ledger_transaction where member = 0 and key = in_books and type = 13;
  end if;
  if booked is null then raise exception 'order % is not in the books', of_id; end if;
  if (select sum(amount) from lode.posting where transaction = booked and amount < 0) is distinct from -present.amount then
    raise exception 'order % is in the books at another price', of_id;
  end if;
  -- Whom the posting credits, and with how much, is who is given a reward.
  perform from (
    select member, sum(amount) as amount from lode.posting where transaction = booked and amount > 0 and member > 0 group by member
  ) credited
  full join (
    select given.member_id as member, sum(given.amount) as amount
    from unnest(reward_members, reward_amounts, reward_failures) as given (member_id, amount, failed)
    where given.failed is null group by given.member_id
  ) told on told.member = credited.member
  where told.amount is distinct from credited.amount;
  if found then raise exception 'order % credits others than it tells', of_id; end if;
  perform from unnest(reward_members, reward_types, reward_layers, reward_points, reward_amounts)
    as given (member_id, type, layer, points, amount)
  where lode.is_reward_by_plan(present, given.member_id, given.type, given.layer, given.points, given.amount) is not true;
  if found then raise exception 'order % brings what its plan does not give', of_id; end if;
  update lode.member set level = present.level where id = present.member_id and level = present.level - 1;
  if not found then raise exception 'order % does not buy the next level', of_id; end if;

  update lode.pay_order
  set ended = 'success', ended_at = lode.now(), settlement = nextval('lode.settlement'), to_mining = mining,
      airdrop_paid = airdrop_was_paid, paid_tx = by_tx, paid_log_index = by_log_index, paid_at = at_time
  where id = of_id
  returning settlement into present.settlement;
  insert into lode.promotion_tally (member_id, power, investment)
  values (present.member_id, present.power, present.amount)
  on conflict (member_id) do update
  set power = promotion_tally.power + excluded.power, investment = promotion_tally.investment + excluded.investment;

  insert into lode.reward (member_id, order_id, type, layer, basis_points, amount, failed)
  select given.member_id, of_id, given.type, given.layer, given.points, given.amount, given.failed
  from unnest(reward_members, reward_types, reward_layers, reward_points, reward_amounts, reward_failures)
    as given (member_id, type, layer, points, amount, failed);
  insert into lode.promotion_tally (member_id, income, rewards)
  select given.member_id, coalesce(sum(given.amount) filter (where given.type <> 'agentReward'), 0),
         count(*) filter (where given.type = 'promotionReward')
  from unnest(reward_members, reward_types, reward_amounts, reward_failures) as given (member_id, type, amount, failed)
  where given.failed is null
  group by given.member_id
  on conflict (member_id) do update
  set income = promotion_tally.income + excluded.income, rewards = promotion_tally.rewards + excluded.rewards;

  if present.level = 1 then perform lode.add_activation(present.member_id); end if;
  perform lode.add_performance(present.member_id, present.amount);
  return present.settlement;
end
$settle$;

-- Takes all Thanksgiving rewards that wait; how many, and how much. The caller holds the member's place, so that none comes
-- meanwhile, and posts the sum to its balance in the same transaction.
create function lode.claim_rewards(of_member bigint, out rewards int, out amount numeric)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $claim$
begin
  if not exists (select from lode.sharing_expert where member_id = of_member) then return; end if;
  with claimed as (
    update lode.reward set claimed_at = lode.now()
    where member_id = of_member and type = 'agentReward' and failed is null and claimed_at is null
    returning reward.amount
  )
  select count(*), coalesce(sum(claimed.amount), 0) into rewards, amount from claimed;
  update lode.promotion_tally set income = income + claim_rewards.amount where member_id = of_member;
end
$claim$;

-- ---- what each process may do ------------------------------------------------------------------------------------------

revoke execute on function lode.is_reward_by_plan, lode.settle_promotion, lode.claim_rewards from public;
grant execute on function lode.settle_promotion to lode_api, lode_worker;
grant execute on function lode.claim_rewards to lode_api;
grant select on lode.sharing_expert, lode.promotion_tally, lode.reward to lode_api, lode_worker;

reset role;
revoke create on schema lode from lode_team, lode_orders;
-- Whether a level can be bought, and by whom others are shown.
grant select (id, account, sponsor_id, level) on lode.member to lode_worker;
