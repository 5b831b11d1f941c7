set local role lode_orders;

-- The member whose address is in a decision's body.
create or replace function lode.member_named(body jsonb) returns bigint
language sql stable
set search_path = pg_catalog, pg_temp
as $named$ select id from lode.member where account = decode(substr(body ->> 'address', 3), 'hex') $named$;

revoke execute on function lode.member_named from public;
