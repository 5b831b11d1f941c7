set local role lode_protection;

-- Issues a new set-up code, only while nothing can be stolen: no password was ever chosen and no money ever moved.
create or replace function lode.issue_setup_code(of_member bigint, by_session uuid, new_code bytea) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $issue$
declare
  found_row lode.protection := lode.settle_reset(of_member);
begin
  if found_row.reset_ends_at is not null then return 'reset-waiting'; end if;
  if found_row.hash is not null or exists (select from lode.posting where member = of_member) then
    return 'setup-code-refused';
  end if;
  delete from lode.setup_code where member_id = of_member;
  insert into lode.setup_code (member_id, code_hash) values (of_member, new_code);
  perform lode.write_security_line(of_member, by_session, 'setup-code-issued');
  return 'ok';
end
$issue$;

revoke execute on function lode.issue_setup_code from public;
grant execute on function lode.issue_setup_code to lode_api;
