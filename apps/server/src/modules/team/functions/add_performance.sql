set local role lode_team;

-- Adds the price that a member paid for a promotion to the performance of the five above.
create or replace function lode.add_performance(of_member bigint, amount numeric) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $performance$
declare
  above bigint;
begin
  if (amount > 0 and amount = trunc(amount)) is not true then
    raise exception 'team: the amount % must be a whole number above zero', amount using errcode = 'LT001';
  end if;
  select parent_id into strict above from lode.team_place where member_id = of_member;
  for layer in 1..5 loop
    exit when above is null;
    update lode.team_place set performance = performance + amount where member_id = above
    returning parent_id into above;
  end loop;
end
$performance$;

revoke execute on function lode.add_performance from public;
grant execute on function lode.add_performance to lode_orders;
