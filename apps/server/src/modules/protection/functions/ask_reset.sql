set local role lode_protection;

-- A change of address that waits goes on waiting, so that asking for resets does not keep the owner from moving to a
-- safe address. It can be canceled by itself.
create or replace function lode.ask_reset(of_member bigint, by_session uuid, new_hash text) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $reset$
declare
  found_row lode.protection := lode.settle_reset(of_member);
begin
  if found_row.reset_ends_at is not null then return 'reset-waiting'; end if;
  update lode.protection set
    reset_hash = new_hash, reset_asked_at = lode.now(), reset_ends_at = lode.now() + interval '72 hours'
  where member_id = of_member;
  delete from lode.session where member_id = of_member and id <> by_session;
  perform lode.write_security_line(of_member, by_session, 'reset-asked', null, lode.now() + interval '72 hours');
  return 'ok';
end
$reset$;

revoke execute on function lode.ask_reset from public;
grant execute on function lode.ask_reset to lode_api;
