-- Adds the notice in the transaction that inserts the plan row, which happens with the second signature. So no plan
-- that makes leaving harder is published without its notice.
create or replace function lode.announce_plan() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $announce$
begin
  insert into lode.notice (plan_version) values (new.version);
  return null;
end
$announce$;

revoke execute on function lode.announce_plan from public;

create trigger announce after insert on lode.plan for each row when (new.leaving_harder)
  execute function lode.announce_plan();
alter table lode.plan enable always trigger announce;
