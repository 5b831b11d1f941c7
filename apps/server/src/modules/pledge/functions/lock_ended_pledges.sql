set local role lode_orders;

-- Locks up to `at_most` pledges, of any member, whose last day is closed and whose dividend is not settled: those after
-- `after_day` and `after_id` in the order of their ends. So a batch begins where the one before it ended. The index
-- keeps the entries of pledges that are settled already until no snapshot needs them, and each batch would read them all.
create or replace function lode.lock_ended_pledges(at_most int, after_day int, after_id uuid)
  returns table (id uuid, member_id bigint, weight numeric, paid numeric, per_weight_from numeric, per_weight_to numeric,
                 end_day int)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $lock$
begin
  return query select * from lode.lock_pledges(array(
    select pledge.id from lode.pledge
    where pledge.settled_at is null and pledge.end_day <= (select max(day) + 1 from lode.production_day)
      and (pledge.end_day, pledge.id) > (after_day, after_id)
    order by pledge.end_day, pledge.id limit at_most));
end
$lock$;

revoke execute on function lode.lock_ended_pledges from public;
grant execute on function lode.lock_ended_pledges to lode_worker;
