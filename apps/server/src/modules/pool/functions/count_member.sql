-- Adds a new member to the pool's totals.
create or replace function lode.count_member() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $count$
begin
  insert into lode.pool_change (members) values (1);
  return null;
end
$count$;

revoke execute on function lode.count_member from public;

create trigger count_member after insert on lode.member for each row execute function lode.count_member();
alter table lode.member enable always trigger count_member;
