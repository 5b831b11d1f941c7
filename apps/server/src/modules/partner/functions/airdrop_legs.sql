set local role lode_orders;

-- The legs of an airdrop: for a settled promotion, or for a member whom two operators have appointed. Null if there is
-- no such promotion or appointment, or if its record says that the reserve could not pay the airdrop.
create or replace function lode.airdrop_legs(posted lode.ledger_transaction) returns lode.leg[]
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $legs$
declare
  given numeric;
begin
  case posted.type
    when :type.airdropForActive, :type.airdropForPromotion then
      select airdrop into given from lode.pay_order
      where id = lode.id_of_key(posted.key) and posted.key = 'order:' || id || ':airdrop' and member_id = posted.member
        and type = :order.promotion and ended = 'success' and airdrop_paid
        and posted.type = case level when 1 then :type.airdropForActive else :type.airdropForPromotion end;
    when :type.airdropForAgent then
      select airdrop into given from lode.sharing_expert
      where member_id = posted.member and airdrop_paid and posted.key = 'appointed:expert';
    else
      select airdrop into given from lode.partner
      where member_id = posted.member and airdrop_paid and posted.key = 'appointed:partner';
  end case;
  if given is null then return null; end if;
  return array[
    row(case posted.type when :type.airdropForPromotion then :account.reserve:promotion.BTN else :account.reserve:airdrop.BTN end, -given),
    row((posted.member << 14) + :account.available.BTN, given)]::lode.leg[];
end
$legs$;

revoke execute on function lode.airdrop_legs from public;
grant execute on function lode.airdrop_legs to lode_ledger;
