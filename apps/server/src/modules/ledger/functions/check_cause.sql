set local role lode_ledger;

-- At commit, every new ledger transaction must have its cause. So a database role that may post a type of transaction
-- can do it only together with the thing that explains it.
create or replace function lode.check_cause() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
-- For the functions that it calls, too. Every table is read by its key, so the same plan fits any size. Without the other
-- settings, a plan that was made while the tables were small reads all log lines for each transaction.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $check$
begin
  if lode.is_caused(new) is not true then
    raise exception 'ledger: % of member % has no cause that explains it', new.key, new.member using errcode = 'LL003';
  end if;
  return null;
end
$check$;

revoke execute on function lode.check_cause from public;

create constraint trigger check_cause after insert on lode.ledger_transaction
  deferrable initially deferred
  for each row execute function lode.check_cause();
alter table lode.ledger_transaction enable always trigger check_cause;
