set local role lode_orders;

-- At commit, the ledger must have the transaction that returns the BTN of a pledge. What it must look like is in
-- pledge_legs().
create or replace function lode.return_is_posted() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $posted$
begin
  perform from lode.ledger_transaction where member = 0 and key = 'pledge:' || new.id || ':return' and type = :type.pledgeReturn;
  if not found then
    raise exception 'the return of pledge % is not in the ledger', new.id using errcode = 'LL003';
  end if;
  return null;
end
$posted$;

revoke execute on function lode.return_is_posted from public;

create constraint trigger return_is_posted after update of returned_at on lode.pledge
  deferrable initially deferred
  for each row execute function lode.return_is_posted();
alter table lode.pledge enable always trigger return_is_posted;
