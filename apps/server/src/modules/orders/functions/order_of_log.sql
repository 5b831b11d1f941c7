set local role lode_orders;

-- The order that was paid by the log of this key. Null if there is none.
create or replace function lode.order_of_log(key text) returns uuid
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $order$
declare
  log record := lode.log_of_key(key);
begin
  return (select id from lode.pay_order where paid_tx = log.tx and paid_log_index = log.log_index);
end
$order$;

revoke execute on function lode.order_of_log from public;
grant execute on function lode.order_of_log to lode_ledger;
