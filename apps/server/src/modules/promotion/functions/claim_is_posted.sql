set local role lode_orders;

-- At commit, the ledger must have the transaction that pays a claim. What it must look like is in claim_legs().
create or replace function lode.claim_is_posted() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $posted$
begin
  perform from lode.ledger_transaction where member = new.member_id and key = 'claim:' || new.operation and type = :type.agentReward;
  if not found then
    raise exception 'claim % of member % is not in the ledger', new.operation, new.member_id using errcode = 'LL003';
  end if;
  return null;
end
$posted$;

revoke execute on function lode.claim_is_posted from public;

create constraint trigger claim_is_posted after insert on lode.reward_claim
  deferrable initially deferred
  for each row execute function lode.claim_is_posted();
alter table lode.reward_claim enable always trigger claim_is_posted;
