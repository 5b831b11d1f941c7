set local role lode_orders;

-- Marks an order as canceled by its member. The order stays open until it is paid, or until a block after its
-- deadline is posted.
create or replace function lode.cancel_order(of_member bigint, of_id uuid) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $cancel$
declare
  found_order lode.pay_order;
begin
  select * into found_order from lode.pay_order where id = of_id and member_id = of_member for no key update;
  if not found then return 'order-unknown'; end if;
  if found_order.cancelled_at is not null and found_order.ended is distinct from 'success' then return 'ok'; end if;
  if found_order.ended is not null or exists (select from lode.order_seen where order_id = of_id) then return 'order-completed'; end if;
  update lode.pay_order set cancelled_at = lode.now() where id = of_id;
  return 'ok';
end
$cancel$;

revoke execute on function lode.cancel_order from public;
grant execute on function lode.cancel_order to lode_api;
