set local role lode_orders;

-- Marks up to `at_most` pledges whose term is over by the clock as returned, and lists their amounts. The caller posts
-- the return of the BTN in the same transaction. A batch begins after `after_day` and `after_id`, as in
-- lode.lock_ended_pledges.
create or replace function lode.return_pledges(at_most int, after_day int, after_id uuid)
  returns table (id uuid, member_id bigint, amount numeric, end_day int)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $return$
declare
  ids uuid[] := array(
    select pledge.id from lode.pledge
    where pledge.returned_at is null and pledge.end_day <= lode.day_of(lode.now())
      and (pledge.end_day, pledge.id) > (after_day, after_id)
    order by pledge.end_day, pledge.id limit at_most);
begin
  perform from lode.pledge where pledge.id = any (ids) order by pledge.id for no key update;
  return query
    update lode.pledge set returned_at = lode.now()
    where pledge.id = any (ids) and pledge.returned_at is null
    returning pledge.id, pledge.member_id, pledge.amount, pledge.end_day;
end
$return$;

revoke execute on function lode.return_pledges from public;
grant execute on function lode.return_pledges to lode_worker;
