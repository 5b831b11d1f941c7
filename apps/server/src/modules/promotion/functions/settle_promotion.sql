set local role lode_orders;

-- Ends a promotion with success: writes the level, the order row, the rewards, the tallies and the team counts. Before
-- this call, in the same database transaction, the caller has locked the tree places of all receivers of rewards and
-- has posted the price and the rewards.
create or replace function lode.settle_promotion(
  of_id uuid, by_tx bytea, by_log_index int, at_time timestamptz, mining numeric, airdrop_was_paid boolean,
  reward_members bigint[], reward_types text[], reward_layers int[], reward_points int[], reward_amounts numeric[],
  reward_failures text[]
) returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $settle$
declare
  found_order lode.pay_order;
  ledger_key text;
  transaction_id bigint;
begin
  select * into found_order from lode.pay_order where id = of_id and type = :order.promotion and ended is null for no key update;
  if not found then raise exception 'order % is no open promotion', of_id; end if;
  -- An order with a deadline is paid online, at least in part, and needs the chain transaction. An order without one is
  -- paid from the balance. Only the worker settles online payments, once they are final.
  if (found_order.deadline is null) <> (by_tx is null) or (by_tx is not null and session_user = 'lode_api') then
    raise exception 'order % cannot be settled by this payment or by this role', of_id;
  end if;
  -- The ledger must already contain this payment: a transaction with the expected key and type.
  if by_tx is null then
    ledger_key := 'order:' || of_id || ':settle';
    select id into transaction_id from lode.ledger_transaction where member = found_order.member_id and key = ledger_key and type = :type.promotionByBalance;
  else
    ledger_key := (select 'chain:' || chain_id from lode.chain_state) || ':0x' || encode(by_tx, 'hex') || ':' || by_log_index;
    select id into transaction_id from lode.ledger_transaction where member = 0 and key = ledger_key and type = :type.promotionPaid;
  end if;
  if transaction_id is null then raise exception 'order % is not in the ledger', of_id; end if;
  if (select sum(amount) from lode.posting where transaction = transaction_id and amount < 0) is distinct from -found_order.amount then
    raise exception 'order % has a different price in the ledger', of_id;
  end if;
  -- The ledger transaction must credit each member with exactly the sum of that member's rewards.
  perform from (
    select member, sum(amount) as amount from lode.posting where transaction = transaction_id and amount > 0 and member > 0 group by member
  ) credited
  full join (
    select given.member_id as member, sum(given.amount) as amount
    from unnest(reward_members, reward_amounts, reward_failures) as given (member_id, amount, failed)
    where given.failed is null group by given.member_id
  ) rewarded on rewarded.member = credited.member
  where rewarded.amount is distinct from credited.amount;
  if found then raise exception 'order % credits members or amounts that differ from its rewards', of_id; end if;
  perform from unnest(reward_members, reward_types, reward_layers, reward_points, reward_amounts)
    as given (member_id, type, layer, points, amount)
  where lode.is_reward_by_plan(found_order, given.member_id, given.type, given.layer, given.points, given.amount) is not true;
  if found then raise exception 'order % pays rewards that its plan does not give', of_id; end if;
  update lode.member set level = found_order.level where id = found_order.member_id and level = found_order.level - 1;
  if not found then raise exception 'order % does not buy the next level', of_id; end if;

  update lode.pay_order
  set ended = 'success', ended_at = lode.now(), settlement = nextval('lode.settlement'), to_mining = mining,
      airdrop_paid = airdrop_was_paid, paid_tx = by_tx, paid_log_index = by_log_index, paid_at = at_time
  where id = of_id
  returning settlement into found_order.settlement;
  insert into lode.promotion_tally (member_id, power, investment)
  values (found_order.member_id, found_order.power, found_order.amount)
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

  if found_order.level = 1 then perform lode.add_activation(found_order.member_id); end if;
  perform lode.add_performance(found_order.member_id, found_order.amount);
  return found_order.settlement;
end
$settle$;

revoke execute on function lode.settle_promotion from public;
grant execute on function lode.settle_promotion to lode_api, lode_worker;
