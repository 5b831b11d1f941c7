set local role lode_orders;

-- Ends a promotion with success: writes the level, the order row, the rewards, the tallies and the team counts. The
-- caller has locked the places of all receivers and posted the price and the rewards, all in one transaction.
create or replace function lode.settle_promotion(
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
  select * into present from lode.pay_order where id = of_id and type = :order.promotion and ended is null for no key update;
  if not found then raise exception 'order % is no open promotion', of_id; end if;
  -- An online payment counts when it is final on the chain, and only the worker settles it.
  if (present.deadline is null) <> (by_tx is null) or (by_tx is not null and session_user = 'lode_api') then
    raise exception 'order % is not paid like this', of_id;
  end if;
  -- The ledger must have the payment under its key and type.
  if by_tx is null then
    in_books := 'order:' || of_id || ':settle';
    select id into booked from lode.ledger_transaction where member = present.member_id and key = in_books and type = :type.promotionByBalance;
  else
    in_books := (select 'chain:' || chain_id from lode.chain_state) || ':0x' || encode(by_tx, 'hex') || ':' || by_log_index;
    select id into booked from lode.ledger_transaction where member = 0 and key = in_books and type = :type.promotionPaid;
  end if;
  if booked is null then raise exception 'order % is not in the books', of_id; end if;
  if (select sum(amount) from lode.posting where transaction = booked and amount < 0) is distinct from -present.amount then
    raise exception 'order % is in the books at another price', of_id;
  end if;
  -- The members whom the posting credits, and the amounts, must be those of the rewards.
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

revoke execute on function lode.settle_promotion from public;
grant execute on function lode.settle_promotion to lode_api, lode_worker;
