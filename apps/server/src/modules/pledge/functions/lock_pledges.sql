set local role lode_orders;

-- Locks pledge rows by id, before any ledger account. The values are read after the lock, so `paid` includes what other
-- transactions have paid meanwhile. per_weight_from is A before the pledge's first day. per_weight_to is A of its last
-- day, or of the last closed day if that is earlier. Settled pledges, and those whose first day is not closed, are
-- locked but not returned.
create or replace function lode.lock_pledges(ids uuid[])
  returns table (id uuid, member_id bigint, weight numeric, paid numeric, per_weight_from numeric, per_weight_to numeric,
                 end_day int)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $lock$
declare
  last_day int;
begin
  perform from lode.pledge where pledge.id = any (ids) order by pledge.id for no key update;
  select max(day) into last_day from lode.production_day;
  return query
    select pledge.id, pledge.member_id, pledge.weight, pledge.paid, lode.per_weight_at(pledge.start_day - 1),
           lode.per_weight_at(pledge.end_day - 1), pledge.end_day
    from lode.pledge
    where pledge.id = any (ids) and pledge.settled_at is null and pledge.start_day <= last_day
    order by pledge.id;
end
$lock$;

revoke execute on function lode.lock_pledges from public;
