set local role lode_orders;

-- What goes to the mining fund: the price without the rewards that were given and without the other parts of the plan,
-- each rounded down.
create or replace function lode.mining_part(of_order lode.pay_order) returns numeric
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $part$
begin
  return of_order.amount
    - (select coalesce(sum(amount), 0) from lode.reward where order_id = of_order.id and failed is null)
    - (select sum(div(of_order.amount * (allocation ->> part)::int, 10000))
       from (select body::jsonb -> 'allocation' as allocation from lode.plan where version = of_order.plan_version) terms,
            unnest(array['liquidity', 'operations', 'partner']) as part);
end
$part$;

revoke execute on function lode.mining_part from public;
