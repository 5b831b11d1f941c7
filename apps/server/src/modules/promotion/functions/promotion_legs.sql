set local role lode_orders;

-- The legs of the transaction that divides the price of a promotion: the rewards of the order, the parts of the plan,
-- and all the rest to the mining fund. Null if there is no such settled promotion.
create or replace function lode.promotion_legs(posted lode.ledger_transaction) returns lode.leg[]
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $legs$
declare
  cause lode.pay_order := lode.settled_order(posted, :order.promotion);
begin
  if cause.id is null then return null; end if;
  return (
    with share as (
      select div(cause.amount * (allocation ->> 'liquidity')::int, 10000) as liquidity,
             div(cause.amount * (allocation ->> 'operations')::int, 10000) as operations,
             div(cause.amount * (allocation ->> 'partner')::int, 10000) as partner
      from (select body::jsonb -> 'allocation' as allocation from lode.plan where version = cause.plan_version) terms
    ),
    given as (
      select (member_id << 14) + case type when 'agentReward' then :account.agentUnclaimed.USDT else :account.available.USDT end as account, amount
      from lode.reward where order_id = cause.id and failed is null
    ),
    leg (account, amount) as (
      select :account.custody:vault.USDT, cause.balance_part - cause.amount
      union all select (cause.member_id << 14) + :account.frozenOrder.USDT, -cause.balance_part
      union all select :account.pool:mining.USDT, cause.to_mining
      union all select :account.pool:liquidity.USDT, liquidity from share
      union all select :account.pool:operations.USDT, operations from share
      union all select :account.partner:funded.USDT, partner from share
      union all select account, sum(amount) from given group by account
    )
    select array_agg(row(account, amount)::lode.leg order by account) from leg where amount <> 0
  );
end
$legs$;

revoke execute on function lode.promotion_legs from public;
grant execute on function lode.promotion_legs to lode_ledger;
