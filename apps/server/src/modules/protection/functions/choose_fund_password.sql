set local role lode_protection;

create or replace function lode.choose_fund_password(of_member bigint, by_session uuid, with_code bytea, new_hash text) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $choose$
declare
  verdict text := lode.judge_setup_code(of_member, with_code);
begin
  if verdict <> 'ok' then return verdict; end if;
  delete from lode.setup_code where member_id = of_member;
  update lode.protection set hash = new_hash, chosen_at = lode.now() where member_id = of_member;
  perform lode.write_security_line(of_member, by_session, 'fund-password-chosen');
  return 'ok';
end
$choose$;

revoke execute on function lode.choose_fund_password from public;
grant execute on function lode.choose_fund_password to lode_api;
