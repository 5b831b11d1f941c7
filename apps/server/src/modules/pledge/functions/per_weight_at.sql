set local role lode_orders;

-- A, what one unit of weight has earned since the first day, times 10³⁶, at the end of a day. If that day is not
-- closed: at the end of the last closed day before it.
create or replace function lode.per_weight_at(of_day int) returns numeric
language sql security definer stable
set search_path = pg_catalog, pg_temp
as $at$
  select coalesce((select per_weight from lode.production_day where day <= of_day order by day desc limit 1), 0)
$at$;

revoke execute on function lode.per_weight_at from public;
grant execute on function lode.per_weight_at to lode_api, lode_worker;
