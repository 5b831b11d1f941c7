set local role lode_orders;

-- Whether all 363 places of the member's five layers are taken.
create or replace function lode.has_full_layers(place lode.team_place) returns boolean
language sql immutable
set search_path = pg_catalog, pg_temp
as $full$ select sum(headcount) = 363 from unnest(place.headcounts) as headcount $full$;

revoke execute on function lode.has_full_layers from public;
