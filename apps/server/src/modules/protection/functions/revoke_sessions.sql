set local role lode_protection;

-- Revokes one session of the member, or with null all its other sessions.
create or replace function lode.revoke_sessions(of_member bigint, by_session uuid, revoked uuid) returns int
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $revoke$
declare
  ended int;
begin
  if revoked is not null then
    delete from lode.session where member_id = of_member and id = revoked;
  else
    delete from lode.session where member_id = of_member and id <> by_session;
  end if;
  get diagnostics ended = row_count;
  if ended > 0 then
    perform lode.write_security_line(of_member, by_session,
      case when revoked is null then 'sessions-revoked' else 'session-revoked' end);
  end if;
  return ended;
end
$revoke$;

revoke execute on function lode.revoke_sessions from public;
grant execute on function lode.revoke_sessions to lode_api;
