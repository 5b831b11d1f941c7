set local role lode_protection;

-- Whether the first password can be chosen with this code. Called before the slow hash is computed, and again after it.
create or replace function lode.judge_setup_code(of_member bigint, with_code bytea) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $judge$
declare
  found_row lode.protection := lode.settle_reset(of_member);
begin
  if found_row.hash is not null then return 'fund-password-chosen'; end if;
  if found_row.reset_ends_at is not null then return 'reset-waiting'; end if;
  if not exists (select from lode.setup_code where member_id = of_member and code_hash = with_code) then
    return 'setup-code-wrong';
  end if;
  return 'ok';
end
$judge$;

revoke execute on function lode.judge_setup_code from public;
grant execute on function lode.judge_setup_code to lode_api;
