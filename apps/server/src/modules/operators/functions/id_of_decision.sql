-- The number of the decision with exactly this text. Somebody who knows the text learns nothing new.
create or replace function lode.id_of_decision(body text) returns bigint
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $id$ select id from lode.decision where body_hash = lode.text_hash($1) $id$;

revoke execute on function lode.id_of_decision from public;
grant execute on function lode.id_of_decision to lode_operator;
