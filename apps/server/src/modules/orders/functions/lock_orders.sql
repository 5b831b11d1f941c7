set local role lode_orders;

-- Locks orders for the rest of the transaction. All callers lock them in the same order, by id.
create or replace function lode.lock_orders(ids uuid[]) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $lock$
begin
  perform from lode.pay_order where id = any (ids) order by id for no key update;
end
$lock$;

revoke execute on function lode.lock_orders from public;
grant execute on function lode.lock_orders to lode_worker;
