set local role lode_protection;

create or replace function lode.write_security_line(
  of_member bigint, by_session uuid, of_kind text, of_address bytea default null, of_until timestamptz default null
) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $line$
  insert into lode.security_line (member_id, at, kind, user_agent, address, until)
  select of_member, lode.now(), of_kind,
         (select user_agent from lode.session where id = by_session and member_id = of_member), of_address, of_until;
$line$;

revoke execute on function lode.write_security_line from public;
