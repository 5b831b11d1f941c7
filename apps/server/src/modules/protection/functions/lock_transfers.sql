set local role lode_protection;

create or replace function lode.lock_transfers(of_member bigint, by_session uuid, days int) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $lock$
declare
  found_row lode.protection := lode.settle_reset(of_member);
  new_end timestamptz := lode.now() + make_interval(days => days);
begin
  if days not between 1 and 30 then raise exception 'transfers are locked for 1 to 30 days, not %', days; end if;
  if found_row.hash is null then return 'fund-password-unset'; end if;
  if found_row.transfers_locked_until >= new_end then return 'transfer-lock-shorter'; end if;
  update lode.protection set transfers_locked_until = new_end where member_id = of_member;
  perform lode.write_security_line(of_member, by_session, 'transfers-locked', null, new_end);
  return 'ok';
end
$lock$;

revoke execute on function lode.lock_transfers from public;
grant execute on function lode.lock_transfers to lode_api;
