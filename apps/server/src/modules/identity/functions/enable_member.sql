-- Lets a disabled member sign in again. The decision names the time at which the member was disabled, so that it cannot
-- undo a later decision.
create or replace function lode.enable_member(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $enable$
declare
  decided jsonb := lode.take_decision(of_decision, 'enable', 2);
begin
  if decided is null then return 'done'; end if;
  update lode.member set disabled_at = null, disabled_by = null
  where account = decode(substr(decided ->> 'address', 3), 'hex')
    and date_trunc('milliseconds', disabled_at) = (decided ->> 'disabledAt')::timestamptz;
  return case when found then 'ok' else 'unknown' end;
end
$enable$;

revoke execute on function lode.enable_member from public;
grant execute on function lode.enable_member to lode_worker;
