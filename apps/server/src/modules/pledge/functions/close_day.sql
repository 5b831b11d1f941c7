set local role lode_orders;

-- Stores a closed day and checks its figures by computing them again. modules/pledge/rules.ts explains the letters.
-- The plan in force at the end of the day sets the closing hour and the daily limit M. If the funding is above the
-- limit, the day waits up to 72 hours for two operators to approve more. After that it closes with the limit, and the
-- rest of the funding is carried over. It waits as long for Bitcoin outputs that a node was asked for and that were not found. The caller has posted what the day shares out.
create or replace function lode.close_day(
  of_day int, by_plan int, by_decision bigint, f numeric, x numeric, t numeric, c numeric, z numeric, s numeric, q numeric,
  a numeric, r numeric
) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $close$
declare
  inputs record;
  day_end constant timestamptz := to_timestamp((of_day + 1) * 86400.0);
  terms jsonb := (select body::jsonb from lode.plan where version = by_plan);
  closes_at timestamptz := day_end + make_interval(hours => (terms -> 'closeHour')::int);
  plan_most numeric := (terms ->> 'dayFundingMax')::numeric * (select ('1e' || decimals)::numeric from lode.token where asset = 'BTC');
  most numeric := plan_most;
  got numeric;
begin
  select * into inputs from lode.lock_next_day();
  if inputs.next_day is distinct from of_day or inputs.unsettled then raise exception 'day % is not the one to close', of_day; end if;
  if by_plan is distinct from lode.plan_in_force(day_end) then raise exception 'plan % does not close day %', by_plan, of_day; end if;
  if (lode.now() >= closes_at and exists (
        select from lode.chain_state
        where posted_hash is not null and posted_number >= booked_number and stopped_reason is null
          -- Funding may be among the logs of a stopped asset, which are not posted yet.
          and not exists (select from lode.asset_stop where asset = 'BTC')
          and posted_time > closes_at)) is not true then
    raise exception 'day % is not over', of_day;
  end if;
  if by_decision is not null then
    most := (select (body ->> 'amount')::numeric from lode.signed_by_two(by_decision, 'approve-day') where body ->> 'subject' = 'day:' || of_day);
    if (most > plan_most) is not true then raise exception 'decision % does not approve day %', by_decision, of_day; end if;
  elsif inputs.funding > plan_most and lode.now() < closes_at + interval '72 hours' then
    raise exception 'day % waits for the operators', of_day;
  end if;
  if lode.now() < closes_at + interval '72 hours' and exists (
       select from lode.unused_funding given join lode.evidence_check looked using (tx, log_index)
       where given.day <= of_day and looked.result <> 'found') then
    raise exception 'day % waits for evidence', of_day;
  end if;
  if (f = least(inputs.funding, most) and f + x = inputs.funding and z = inputs.freed and s = inputs.weight + inputs.started - inputs.ended
      and t = case when s > 0 then least(inputs.carry, f) else 0 end
      and c = inputs.carry + x - t + case when s > 0 then 0 else f end
      and a = inputs.per_weight + q
      and case when s > 0 then (f + t) * 1e36::numeric + inputs.remainder + z = q * s + r and r < s
               else q = 0 and r = inputs.remainder + z end) is not true then
    raise exception 'day % has other figures than the database computes', of_day;
  end if;
  if s > 0 and f + t > 0 then
    -- `dividendClose` credits only `dividend:payable`, so its positive postings add up to what was shared out.
    if (select sum(booked.amount)
        from lode.ledger_transaction posted join lode.posting booked on booked.member = 0 and booked.transaction = posted.id
        where posted.member = 0 and posted.key = 'day:' || of_day || ':dividend' and posted.type = :type.dividendClose and booked.amount > 0)
       is distinct from f + t then
      raise exception 'day % is not in the ledger', of_day;
    end if;
  end if;
  -- The watcher posts funding without waiting for the lock of lock_next_day(). If it does so between the sum in that
  -- function and this statement, the close must fail: it would mark that funding as used without sharing it out.
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
