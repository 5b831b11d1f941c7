set local role lode_orders;

-- Returns the next day to close and the stored figures from which it is computed. Takes the lock that keeps other
-- transactions from closing a day or beginning a pledge. The first day is the one on which the first plan started,
-- because nothing could be pledged before.
create or replace function lode.lock_next_day(out next_day int, out carry numeric, out weight numeric, out per_weight numeric,
  out remainder numeric, out started numeric, out ended numeric, out freed numeric, out unsettled boolean, out funding numeric)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
-- Makes the query for `unsettled` use the index pledge_to_settle, whatever the planner estimates. The first entry of
-- this index is the pledge that ends first. Before PostgreSQL 18, disabling scans makes the plan look so expensive that
-- it is JIT-compiled for half a second.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $lock$
declare
  last lode.production_day;
begin
  perform pg_advisory_xact_lock(hashtext('lode: production'));
  select * into last from lode.production_day order by day desc limit 1;
  next_day := coalesce(last.day + 1, (select lode.day_of(min(starts_at)) from lode.plan));
  if next_day is null then return; end if;
  carry := coalesce(last.carry, 0);
  weight := coalesce(last.weight, 0);
  per_weight := coalesce(last.per_weight, 0);
  remainder := coalesce(last.remainder, 0);
  -- Settling an ended pledge marks it as settled and adds to `freed` in one commit, and each statement here sees the
  -- latest commits. So this value is read first: if it is false, `freed` includes every pledge that ends on this day.
  unsettled := coalesce((select min(end_day) from lode.pledge where settled_at is null) <= next_day, false);
  select coalesce(sum(change.started), 0), coalesce(sum(change.ended), 0), coalesce(sum(change.freed), 0)
  into started, ended, freed
  from lode.pledge_change change where change.day = next_day;
  select coalesce(sum(given.amount), 0) into funding from lode.unused_funding given where given.day <= next_day;
end
$lock$;

revoke execute on function lode.lock_next_day from public;
grant execute on function lode.lock_next_day to lode_worker;
