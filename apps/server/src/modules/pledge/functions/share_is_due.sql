set local role lode_orders;

-- At commit, every ledger transaction that pays out shared money must be recorded as a member's part of it. So a
-- database role that may post such a transaction cannot give away what others have not collected yet.
create or replace function lode.share_is_due() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $due$
begin
  perform from lode.share_payment where transaction = new.id;
  if not found then
    raise exception 'ledger: nobody is due what % pays', new.key using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$due$;

revoke execute on function lode.share_is_due from public;
grant execute on function lode.share_is_due to lode_ledger;

set local role lode_ledger;

create constraint trigger share_is_due after insert on lode.ledger_transaction
  deferrable initially deferred
  for each row when (new.type in (:type.pointReward, :type.partnerReward, :type.pledgeRest)) execute function lode.share_is_due();
alter table lode.ledger_transaction enable always trigger share_is_due;
