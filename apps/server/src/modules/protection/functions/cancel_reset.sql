set local role lode_protection;

create or replace function lode.cancel_reset(of_member bigint, by_session uuid) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $cancel$
declare
  found_row lode.protection := lode.settle_reset(of_member);
begin
  if found_row.reset_ends_at is null then return 'reset-none'; end if;
  update lode.protection set reset_hash = null, reset_asked_at = null, reset_ends_at = null
  where member_id = of_member;
  perform lode.write_security_line(of_member, by_session, 'reset-cancelled');
  return 'ok';
end
$cancel$;

revoke execute on function lode.cancel_reset from public;
grant execute on function lode.cancel_reset to lode_api;
