set local role lode_protection;

-- Resets the count of tries after a correct one. `right_hash` is the hash that was verified. If the password was
-- changed meanwhile, it returns false and does not reset the count.
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
