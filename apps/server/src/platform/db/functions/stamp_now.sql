-- Sets `at` to the time of the database's clock, so that the role that inserts a row cannot choose the time.
create or replace function lode.stamp_now() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $stamp$
begin
  new.at := lode.now();
  return new;
end
$stamp$;

create trigger stamp before insert on lode.decision for each row execute function lode.stamp_now();
alter table lode.decision enable always trigger stamp;

create trigger stamp before insert on lode.decision_signature for each row execute function lode.stamp_now();
alter table lode.decision_signature enable always trigger stamp;

create trigger stamp before insert on lode.notice for each row execute function lode.stamp_now();
alter table lode.notice enable always trigger stamp;
