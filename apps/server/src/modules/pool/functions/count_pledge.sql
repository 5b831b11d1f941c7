set local role lode_orders;

-- Adds a new pledge to the pool's totals, and takes one away whose BTN came back.
create or replace function lode.count_pledge() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $count$
declare
  change constant int := case when new.returned_at is null then 1 else -1 end;
begin
  insert into lode.pool_change (pledges, pledged) values (change, change * new.amount);
  return null;
end
$count$;

revoke execute on function lode.count_pledge from public;

create trigger count_new_pledge after insert on lode.pledge for each row execute function lode.count_pledge();
alter table lode.pledge enable always trigger count_new_pledge;

create trigger count_returned_pledge after update on lode.pledge for each row
  when (old.returned_at is null and new.returned_at is not null)
  execute function lode.count_pledge();
alter table lode.pledge enable always trigger count_returned_pledge;
