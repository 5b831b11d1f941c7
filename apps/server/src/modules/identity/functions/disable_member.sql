-- Disables a member as two operators decided, and deletes its full sessions. Exit sessions and credits keep working. The
-- update locks the member's row, as a login does, so that no full session opens meanwhile.
create or replace function lode.disable_member(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $disable$
declare
  decided jsonb := lode.take_decision(of_decision, 'disable', 2);
  disabled bigint;
begin
  if decided is null then return 'done'; end if;
  update lode.member set disabled_at = lode.now(), disabled_by = of_decision
  where account = decode(substr(decided ->> 'address', 3), 'hex') and disabled_at is null
  returning id into disabled;
  if disabled is null then return 'unknown'; end if;
  delete from lode.session where member_id = disabled and mode = 'full';
  return 'ok';
end
$disable$;

revoke execute on function lode.disable_member from public;
grant execute on function lode.disable_member to lode_worker;
