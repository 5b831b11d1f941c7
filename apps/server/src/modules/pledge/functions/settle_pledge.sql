set local role lode_orders;

-- Ends an order for a pledge with success, and begins the pledge. The caller has posted it in the same transaction.
create or replace function lode.settle_pledge(of_id uuid, by_tx bytea, by_log_index int, at_time timestamptz) returns int
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $settle$
declare
  present lode.pay_order;
  booked bigint;
  first_day int;
  own_stripe int;
begin
  select * into present from lode.pay_order where id = of_id and type = :order.pledge and ended is null for no key update;
  if not found then raise exception 'order % is no open pledge', of_id; end if;
  -- An online payment counts when it is final on the chain, and only the worker settles it.
  if (present.deadline is null) <> (by_tx is null) or (by_tx is not null and session_user = 'lode_api') then
    raise exception 'order % is not paid like this', of_id;
  end if;
  if by_tx is null then
    select id into booked from lode.ledger_transaction
    where member = present.member_id and key = 'order:' || of_id || ':settle' and type = :type.pledgeByBalance;
  else
    select id into booked from lode.ledger_transaction
    where member = 0 and type = :type.pledgePaid
      and key = (select 'chain:' || chain_id from lode.chain_state) || ':0x' || encode(by_tx, 'hex') || ':' || by_log_index;
  end if;
  if booked is null then raise exception 'order % is not in the books', of_id; end if;
  -- Both types credit only `pledged`.
  if (select sum(amount) from lode.posting where transaction = booked and member = present.member_id and amount > 0)
     is distinct from present.amount then
    raise exception 'order % is in the books with another amount', of_id;
  end if;

  perform lode.keep_days_open();
  -- Not before the first plan started either: no close would count that day.
  first_day := greatest(lode.day_of(coalesce(at_time, lode.now())), (select lode.day_of(min(starts_at)) - 1 from lode.plan),
                        (select max(day) from lode.production_day)) + 1;
  update lode.pay_order
  set ended = 'success', ended_at = lode.now(), settlement = nextval('lode.settlement'),
      paid_tx = by_tx, paid_log_index = by_log_index, paid_at = at_time
  where id = of_id;
  insert into lode.pledge (id, member_id, amount, weight, start_day, end_day)
  values (of_id, present.member_id, present.amount, present.weight, first_day, first_day + present.term_days);

  -- The worker settles several pledges in one transaction, and would otherwise have to lock these rows by day.
  own_stripe := case when session_user = 'lode_worker' then 0 else 1 + pg_backend_pid() % 15 end;
  insert into lode.pledge_change (day, stripe, started) values (first_day, own_stripe, present.weight)
  on conflict (day, stripe) do update set started = pledge_change.started + excluded.started;
  insert into lode.pledge_change (day, stripe, ended) values (first_day + present.term_days, own_stripe, present.weight)
  on conflict (day, stripe) do update set ended = pledge_change.ended + excluded.ended;
  return first_day;
end
$settle$;

revoke execute on function lode.settle_pledge from public;
grant execute on function lode.settle_pledge to lode_api, lode_worker;
