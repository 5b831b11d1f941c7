set local role lode_orders;

-- Locks the pledges of one member for which something may be due.
create or replace function lode.lock_pledges_of(of_member bigint)
  returns table (id uuid, member_id bigint, weight numeric, paid numeric, per_weight_from numeric, per_weight_to numeric,
                 end_day int)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $lock$
begin
  return query select * from lode.lock_pledges(array(
    select pledge.id from lode.pledge where pledge.member_id = of_member and pledge.settled_at is null));
end
$lock$;

revoke execute on function lode.lock_pledges_of from public;
grant execute on function lode.lock_pledges_of to lode_api, lode_worker;
