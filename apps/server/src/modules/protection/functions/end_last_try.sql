set local role lode_protection;

-- Writes the lock to the security log. It was set when the last try was counted, and stays because that try was wrong.
create or replace function lode.end_last_try(of_member bigint, by_session uuid) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $last$
  select lode.write_security_line(of_member, by_session, 'fund-password-locked', null, locked_until)
  from lode.protection where member_id = of_member and locked_until > lode.now();
$last$;

revoke execute on function lode.end_last_try from public;
grant execute on function lode.end_last_try to lode_api;
