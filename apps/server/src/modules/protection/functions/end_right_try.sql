set local role lode_protection;

-- The hash is the one that was tried: a password that was changed meanwhile is not cleared by an answer about the old
-- one.
create or replace function lode.end_right_try(of_member bigint, right_hash text) returns boolean
language sql security definer
set search_path = pg_catalog, pg_temp
as $right$
  with cleared as (
    update lode.protection set tries = 0, locked_until = null
    where member_id = of_member and hash = right_hash returning 1)
  select exists (select from cleared);
$right$;

revoke execute on function lode.end_right_try from public;
grant execute on function lode.end_right_try to lode_api;
