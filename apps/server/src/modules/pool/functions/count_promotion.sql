set local role lode_orders;

-- Adds a settled promotion to the pool's totals.
create or replace function lode.count_promotion() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $count$
begin
  if new.ended = 'success' and new.type = :order.promotion then
    insert into lode.pool_change (units, power, investment) values (1, new.power, coalesce(new.to_mining, 0));
  end if;
  return null;
end
$count$;

revoke execute on function lode.count_promotion from public;

create trigger count_promotion after update on lode.pay_order for each row
  when (old.ended is null and new.ended is not null)
  execute function lode.count_promotion();
alter table lode.pay_order enable always trigger count_promotion;
