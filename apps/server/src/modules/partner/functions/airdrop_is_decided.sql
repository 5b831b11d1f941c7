set local role lode_orders;

-- At commit, every airdrop in the ledger must have its record in the order, expert or partner row. So a database role
-- that may post airdrops cannot give one away without a promotion or a decision. The amount is not checked here.
create or replace function lode.airdrop_is_decided() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $decided$
begin
  if new.type in (:type.airdropForActive, :type.airdropForPromotion) then
    perform from lode.pay_order
    where member_id = new.member and type = :order.promotion and airdrop_paid and new.key = 'order:' || id || ':airdrop';
  elsif new.type = :type.airdropForAgent then
    perform from lode.sharing_expert where member_id = new.member and airdrop_paid and new.key = 'appointed:expert';
  else
    perform from lode.partner where member_id = new.member and airdrop_paid and new.key = 'appointed:partner';
  end if;
  if not found then
    raise exception 'ledger: nobody decided on the airdrop % of member %', new.key, new.member using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$decided$;

revoke execute on function lode.airdrop_is_decided from public;
grant execute on function lode.airdrop_is_decided to lode_ledger;

set local role lode_ledger;

create constraint trigger airdrop_is_decided after insert on lode.ledger_transaction
  deferrable initially deferred
  for each row
  when (new.type in (:type.airdropForActive, :type.airdropForPromotion, :type.airdropForAgent, :type.airdropForPartner))
  execute function lode.airdrop_is_decided();
alter table lode.ledger_transaction enable always trigger airdrop_is_decided;
