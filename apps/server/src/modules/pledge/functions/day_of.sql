set local role lode_orders;

create or replace function lode.day_of(moment timestamptz) returns int
language sql immutable
set search_path = pg_catalog, pg_temp
as $day$ select floor(extract(epoch from moment) / 86400)::int $day$;

revoke execute on function lode.day_of from public;
grant execute on function lode.day_of to lode_api, lode_worker, lode_operator;
