set local role lode_orders;

-- Ends an order that was paid when its level could no longer be bought. The caller credits the payment to the member
-- and unfreezes the part from the balance.
create or replace function lode.fail_order(of_id uuid, by_tx bytea, by_log_index int, at_time timestamptz) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $fail$
begin
  update lode.pay_order
  set ended = 'failed', ended_at = lode.now(), failure = 'level-already-held',
      paid_tx = by_tx, paid_log_index = by_log_index, paid_at = at_time
  from lode.member
  where pay_order.id = of_id and ended is null and type = :order.promotion and deadline is not null
    and member.id = pay_order.member_id and member.level + 1 <> pay_order.level;
  if not found then raise exception 'order % has ended, or its level can still be bought', of_id; end if;
end
$fail$;

revoke execute on function lode.fail_order from public;
grant execute on function lode.fail_order to lode_worker;
