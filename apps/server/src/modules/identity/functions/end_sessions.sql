-- Ends the sessions of one member or of all, as one operator decided. Members sign in again with their wallets.
create or replace function lode.end_sessions(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $end$
declare
  decided jsonb := lode.take_decision(of_decision, 'end-sessions', 1);
begin
  if decided is null then return 'done'; end if;
  delete from lode.session
  where decided ->> 'of' = 'all'
    or member_id = (
      select id from lode.member
      where decided ->> 'of' <> 'all' and account = decode(substr(decided ->> 'of', 3), 'hex'));
  return 'ok';
end
$end$;

revoke execute on function lode.end_sessions from public;
grant execute on function lode.end_sessions to lode_worker;
