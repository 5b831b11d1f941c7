set local role lode_protection;

-- Fails if the stored hash is no longer `old_hash`, which the caller has verified. So of two parallel changes only one
-- succeeds.
create or replace function lode.change_fund_password(of_member bigint, by_session uuid, old_hash text, new_hash text) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $change$
declare
  found_row lode.protection := lode.settle_reset(of_member);
begin
  if found_row.reset_ends_at is not null then return 'reset-waiting'; end if;
  if found_row.hash is distinct from old_hash then return 'fund-password-wrong'; end if;
  update lode.protection set hash = new_hash, changed_at = lode.now(), tries = 0, locked_until = null
  where member_id = of_member;
  -- Transfers are held until then.
  perform lode.write_security_line(of_member, by_session, 'fund-password-changed', null, lode.now() + interval '24 hours');
  return 'ok';
end
$change$;

revoke execute on function lode.change_fund_password from public;
grant execute on function lode.change_fund_password to lode_api;
