set local role lode_orders;

-- The order that a settlement in the ledger names: by its id in the key if the balance alone paid it, otherwise by the
-- log that paid it. Nulls if there is no such order of this type, or if it has not succeeded.
create or replace function lode.settled_order(posted lode.ledger_transaction, of_type int) returns lode.pay_order
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $settled$
declare
  found_order lode.pay_order;
  log record;
begin
  if posted.type in (:type.promotionByBalance, :type.pledgeByBalance) then
    select * into found_order from lode.pay_order
    where id = lode.id_of_key(posted.key) and posted.key = 'order:' || id || ':settle' and member_id = posted.member and paid_tx is null
      and type = of_type and ended = 'success';
  else
    log := lode.log_of_key(posted.key);
    select * into found_order from lode.pay_order
    where paid_tx = log.tx and paid_log_index = log.log_index and type = of_type and ended = 'success';
  end if;
  return found_order;
end
$settled$;

revoke execute on function lode.settled_order from public;
