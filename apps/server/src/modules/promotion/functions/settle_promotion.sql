set local role lode_orders;

-- Ends a promotion with success: writes the level, the order row, the rewards, the tallies and the team counts. Before
-- this call, in the same database transaction, the caller has locked the tree places of all receivers of rewards and
-- has posted the price and the airdrop. At commit the ledger compares the posted price with the rewards.
create or replace function lode.settle_promotion(of_id uuid, by_tx bytea, by_log_index int, at_time timestamptz) returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
-- For the functions that it calls, too. Every table is read by its key. Without the settings, a plan that was made while
-- the tables were small reads all of them.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $settle$
declare
  found_order lode.pay_order;
  airdrop_posted boolean;
begin
  select * into found_order from lode.pay_order where id = of_id and type = :order.promotion and ended is null for no key update;
  if not found then raise exception 'order % is no open promotion', of_id; end if;
  -- An order with a deadline is paid online, at least in part, and needs the chain transaction. An order without one is
  -- paid from the balance. Only the worker settles online payments, once they are final.
  if (found_order.deadline is null) <> (by_tx is null) or (by_tx is not null and session_user = 'lode_api') then
    raise exception 'order % cannot be settled by this payment or by this role', of_id;
  end if;

  insert into lode.reward (member_id, order_id, type, layer, basis_points, amount, failed)
  select given.member_id, of_id, given.type, given.layer, given.points, given.amount, given.failed
  from lode.rewards_by_plan(found_order) given;
  insert into lode.promotion_tally (member_id, income, rewards)
  select given.member_id, coalesce(sum(given.amount) filter (where given.type <> 'agentReward'), 0),
         count(*) filter (where given.type = 'promotionReward')
  from lode.reward given
  where given.order_id = of_id and given.failed is null
  group by given.member_id
  on conflict (member_id) do update
  set income = promotion_tally.income + excluded.income, rewards = promotion_tally.rewards + excluded.rewards;

  update lode.member set level = found_order.level where id = found_order.member_id and level = found_order.level - 1;
  if not found then raise exception 'order % does not buy the next level', of_id; end if;
  -- A block can bring the reserve's funding after the airdrop was refused. So only an order from the balance is asked why
  -- it has none.
  airdrop_posted := lode.airdrop_in_books(
    found_order.member_id, 'order:' || of_id || ':airdrop',
    case found_order.level when 1 then :account.reserve:airdrop.BTN else :account.reserve:promotion.BTN end,
    found_order.airdrop, by_tx is null);
  update lode.pay_order
  set ended = 'success', ended_at = lode.now(), settlement = nextval('lode.settlement'), to_mining = lode.mining_part(found_order),
      airdrop_paid = airdrop_posted,
      paid_tx = by_tx, paid_log_index = by_log_index, paid_at = at_time
  where id = of_id
  returning settlement into found_order.settlement;
  insert into lode.promotion_tally (member_id, power, investment)
  values (found_order.member_id, found_order.power, found_order.amount)
  on conflict (member_id) do update
  set power = promotion_tally.power + excluded.power, investment = promotion_tally.investment + excluded.investment;

  if found_order.level > 1 or not lode.add_activation(found_order.member_id, found_order.amount) then
    perform lode.add_performance(found_order.member_id, found_order.amount);
  end if;
  return found_order.settlement;
end
$settle$;

revoke execute on function lode.settle_promotion from public;
grant execute on function lode.settle_promotion to lode_api, lode_worker;
