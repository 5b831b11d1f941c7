set local role lode_orders;

-- Ends an order for a pledge with success, and begins the pledge. The caller posts it in the same transaction; at commit
-- the ledger compares both.
create or replace function lode.settle_pledge(of_id uuid, by_tx bytea, by_log_index int, at_time timestamptz) returns int
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $settle$
declare
  found_order lode.pay_order;
  first_day int;
  own_stripe int;
begin
  select * into found_order from lode.pay_order where id = of_id and type = :order.pledge and ended is null for no key update;
  if not found then raise exception 'order % is no open pledge', of_id; end if;
  -- An order with a deadline is paid online, at least in part, and needs the chain transaction. An order without one is
  -- paid from the balance. Only the worker settles online payments, once they are final.
  if (found_order.deadline is null) <> (by_tx is null) or (by_tx is not null and session_user = 'lode_api') then
    raise exception 'order % cannot be settled by this payment or by this role', of_id;
  end if;
  perform lode.keep_days_open();
  -- The first day is never before the start of the first plan, because no close would count it.
  first_day := greatest(lode.day_of(coalesce(at_time, lode.now())), (select lode.day_of(min(starts_at)) - 1 from lode.plan),
                        (select max(day) from lode.production_day)) + 1;
  update lode.pay_order
  set ended = 'success', ended_at = lode.now(), settlement = nextval('lode.settlement'),
      paid_tx = by_tx, paid_log_index = by_log_index, paid_at = at_time
  where id = of_id;
  insert into lode.pledge (id, member_id, amount, weight, start_day, end_day)
  values (of_id, found_order.member_id, found_order.amount, found_order.weight, first_day, first_day + found_order.term_days);

  -- The worker has stripe 0 for itself, because it settles several pledges in one transaction. On shared stripes it
  -- would have to lock the rows by day to avoid deadlocks.
  own_stripe := case when session_user = 'lode_worker' then 0 else 1 + pg_backend_pid() % 15 end;
  insert into lode.pledge_change (day, stripe, started) values (first_day, own_stripe, found_order.weight)
  on conflict (day, stripe) do update set started = pledge_change.started + excluded.started;
  insert into lode.pledge_change (day, stripe, ended) values (first_day + found_order.term_days, own_stripe, found_order.weight)
  on conflict (day, stripe) do update set ended = pledge_change.ended + excluded.ended;
  return first_day;
end
$settle$;

revoke execute on function lode.settle_pledge from public;
grant execute on function lode.settle_pledge to lode_api, lode_worker;
