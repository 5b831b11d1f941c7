set local role lode_orders;

create or replace function lode.submit_order(of_member bigint, of_id uuid, by_tx bytea) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $submit$
begin
  update lode.pay_order set submitted_tx = by_tx, submitted_at = lode.now()
  where id = of_id and member_id = of_member and ended is null and deadline is not null;
  if found then return 'ok'; end if;
  perform from lode.pay_order where id = of_id and member_id = of_member;
  return case when found then 'order-completed' else 'order-unknown' end;
end
$submit$;

revoke execute on function lode.submit_order from public;
grant execute on function lode.submit_order to lode_api;
