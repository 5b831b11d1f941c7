-- At commit, a member whom the api has registered must have a place. Otherwise nobody could be placed below it. The
-- owner of the database may load many members first and place them later.
create or replace function lode.member_is_placed() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $placed$
begin
  if session_user = 'lode_api' and not exists (select from lode.team_place where member_id = new.id) then
    raise exception 'team: member % has no place', new.id using errcode = 'LT001';
  end if;
  return null;
end
$placed$;

revoke execute on function lode.member_is_placed from public;

create constraint trigger member_is_placed after insert on lode.member
  deferrable initially deferred
  for each row execute function lode.member_is_placed();
alter table lode.member enable always trigger member_is_placed;
