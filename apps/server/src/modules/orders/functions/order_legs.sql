set local role lode_orders;

-- The legs of a transaction that freezes the balance part of an order, or unfreezes it after the order has failed. Null
-- if there is no such order.
create or replace function lode.order_legs(posted lode.ledger_transaction) returns lode.leg[]
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $legs$
declare
  cause lode.pay_order;
  own bigint := posted.member << 14;
  part numeric;
begin
  select * into cause from lode.pay_order where id = lode.id_of_key(posted.key) and member_id = posted.member;
  if posted.type = :type.orderReserve then
    if posted.key is distinct from 'order:' || cause.id then return null; end if;
    part := cause.balance_part;
  else
    if posted.key is distinct from 'order:' || cause.id || ':release' or cause.ended is distinct from 'failed' then return null; end if;
    part := -cause.balance_part;
  end if;
  if cause.asset = 'USDT' then
    return array[row(own + :account.available.USDT, -part), row(own + :account.frozenOrder.USDT, part)]::lode.leg[];
  end if;
  return array[row(own + :account.available.BTN, -part), row(own + :account.frozenOrder.BTN, part)]::lode.leg[];
end
$legs$;

revoke execute on function lode.order_legs from public;
grant execute on function lode.order_legs to lode_ledger;
