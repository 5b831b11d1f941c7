set local role lode_orders;

-- Stores a closed day and checks its figures by computing them again. modules/pledge/rules.ts explains the letters.
-- Only the worker checks the daily limit M and the closing hour. The caller has posted what the day shares out.
create or replace function lode.close_day(
  of_day int, by_plan int, by_decision bigint, f numeric, x numeric, t numeric, c numeric, z numeric, s numeric, q numeric,
  a numeric, r numeric
) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $close$
declare
  inputs record;
  got numeric;
begin
  select * into inputs from lode.lock_next_day();
  if inputs.next_day is distinct from of_day or inputs.unsettled then raise exception 'day % is not the one to close', of_day; end if;
  if lode.now() < to_timestamp((of_day + 1) * 86400.0) or not exists (
    select from lode.chain_state
    where posted_hash is not null and posted_number >= booked_number and stopped_reason is null
      and posted_time > to_timestamp((of_day + 1) * 86400.0))
  then
    raise exception 'day % is not over', of_day;
  end if;
  if (f + x = inputs.funding and z = inputs.freed and s = inputs.weight + inputs.started - inputs.ended
      and t = case when s > 0 then least(inputs.carry, f) else 0 end
      and c = inputs.carry + x - t + case when s > 0 then 0 else f end
      and a = inputs.per_weight + q
      and case when s > 0 then (f + t) * 1e36::numeric + inputs.remainder + z = q * s + r and r < s
               else q = 0 and r = inputs.remainder + z end) is not true then
    raise exception 'day % has other figures than the database computes', of_day;
  end if;
  if s > 0 and f + t > 0 then
    -- This transaction type credits only `dividend:payable`.
    if (select sum(booked.amount)
        from lode.ledger_transaction posted join lode.posting booked on booked.member = 0 and booked.transaction = posted.id
        where posted.member = 0 and posted.key = 'day:' || of_day || ':dividend' and posted.type = :type.dividendClose and booked.amount > 0)
       is distinct from f + t then
      raise exception 'day % is not in the ledger', of_day;
    end if;
  end if;
  -- Posting of funding does not wait for the lock of lock_next_day(). If the watcher posts funding between the sum in
  -- that function and this statement, the close fails.
  -- Otherwise this day would mark the funding as used without sharing it out.
  with taken as (
    select given.tx, given.log_index, given.amount from lode.unused_funding given where given.day <= of_day
  ),
  kept as (insert into lode.day_funding (tx, log_index, day) select taken.tx, taken.log_index, of_day from taken)
  select coalesce(sum(taken.amount), 0) into got from taken;
  if got <> f + x then raise exception 'day % was funded meanwhile', of_day; end if;
  insert into lode.production_day
    (day, admitted, above, from_carry, carry, freed, weight, quotient, per_weight, remainder, plan_version, decision_id, decision_place)
  values (of_day, f, x, t, c, z, s, q, a, r, by_plan, by_decision, case when by_decision is not null then 2 end);
end
$close$;

revoke execute on function lode.close_day from public;
grant execute on function lode.close_day to lode_worker;
