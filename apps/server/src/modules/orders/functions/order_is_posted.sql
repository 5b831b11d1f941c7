set local role lode_orders;

-- At commit, the ledger must have the transaction that a new or ended order causes: the freeze of its balance part, and
-- at its end the settlement or the release. What these transactions must look like is in order_legs(),
-- promotion_legs() and pledge_legs().
create or replace function lode.order_is_posted() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $posted$
declare
  own_key text := 'order:' || new.id;
begin
  if tg_op = 'INSERT' then
    -- An order that the balance pays alone is settled at once. Left open, nothing would ever end it.
    if new.deadline is null and exists (select from lode.pay_order where id = new.id and ended is null) then
      raise exception 'order % is paid from the balance, and not settled', new.id using errcode = 'LL003';
    end if;
    if new.balance_part = 0 then return null; end if;
    perform from lode.ledger_transaction where member = new.member_id and key = own_key and type = :type.orderReserve;
  elsif new.ended = 'failed' then
    if new.balance_part = 0 then return null; end if;
    perform from lode.ledger_transaction where member = new.member_id and key = own_key || ':release' and type = :type.orderRelease;
  elsif new.paid_tx is null then
    perform from lode.ledger_transaction
    where member = new.member_id and key = own_key || ':settle'
      and type = case new.type when :order.promotion then :type.promotionByBalance else :type.pledgeByBalance end;
  else
    perform from lode.ledger_transaction
    where member = 0 and type = case new.type when :order.promotion then :type.promotionPaid else :type.pledgePaid end
      and key = lode.key_of_log(new.paid_tx, new.paid_log_index);
  end if;
  if not found then
    raise exception 'order % is not in the ledger', new.id using errcode = 'LL003';
  end if;
  return null;
end
$posted$;

revoke execute on function lode.order_is_posted from public;

create constraint trigger order_is_posted after insert or update of ended on lode.pay_order
  deferrable initially deferred
  for each row execute function lode.order_is_posted();
alter table lode.pay_order enable always trigger order_is_posted;
