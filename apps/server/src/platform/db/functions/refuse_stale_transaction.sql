-- Refuses to write in a database transaction that began more than five minutes ago, or that sees an old snapshot.
-- lode.now() is the time at which the transaction began. So somebody who keeps a transaction open could write a request
-- that seems to be days old, and skip the wait that it must have; or begin a pledge on days that are already closed.
create or replace function lode.refuse_stale_transaction() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $stale$
begin
  if clock_timestamp() > transaction_timestamp() + interval '5 minutes' then
    raise exception '%: the database transaction began at %', tg_table_name, transaction_timestamp() using errcode = 'LL004';
  end if;
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception '%: written only under read committed', tg_table_name using errcode = 'LL004';
  end if;
  return null;
end
$stale$;

revoke execute on function lode.refuse_stale_transaction from public;
grant execute on function lode.refuse_stale_transaction to lode_orders, lode_payout, lode_protection;

create trigger refuse_stale before insert on lode.session
  for each statement execute function lode.refuse_stale_transaction();
alter table lode.session enable always trigger refuse_stale;

create trigger refuse_stale before insert on lode.decision
  for each statement execute function lode.refuse_stale_transaction();
alter table lode.decision enable always trigger refuse_stale;

create trigger refuse_stale before insert on lode.decision_signature
  for each statement execute function lode.refuse_stale_transaction();
alter table lode.decision_signature enable always trigger refuse_stale;

set local role lode_orders;

create trigger refuse_stale before insert or update on lode.pay_order
  for each statement execute function lode.refuse_stale_transaction();
alter table lode.pay_order enable always trigger refuse_stale;

set local role lode_payout;

create trigger refuse_stale before insert on lode.payout
  for each statement execute function lode.refuse_stale_transaction();
alter table lode.payout enable always trigger refuse_stale;

set local role lode_protection;

create trigger refuse_stale before insert or update on lode.output_address
  for each statement execute function lode.refuse_stale_transaction();
alter table lode.output_address enable always trigger refuse_stale;

create trigger refuse_stale before insert or update on lode.protection
  for each statement execute function lode.refuse_stale_transaction();
alter table lode.protection enable always trigger refuse_stale;

create trigger refuse_stale before insert on lode.device
  for each statement execute function lode.refuse_stale_transaction();
alter table lode.device enable always trigger refuse_stale;
