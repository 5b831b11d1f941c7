set local role lode_orders;

-- Stores the total that a partner was paid so far. The increase must equal the given ledger transaction, which the
-- caller has posted.
create or replace function lode.pay_partner(of_member bigint, of_amount numeric, by_transaction bigint) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $pay$
declare
  paid_before numeric;
begin
  select paid into paid_before from lode.partner_paid where member_id = of_member for no key update;
  update lode.partner_paid set paid = of_amount
  from lode.partner
  where partner.member_id = of_member and partner_paid.member_id = of_member and partner_paid.paid <= of_amount and scale(of_amount) = 0
    and of_amount <= div(lode.per_partner_at(2147483647) - lode.per_partner_at(partner.approved_day), 1e36::numeric);
  if not found then raise exception 'partner % is not entitled to that', of_member; end if;
  insert into lode.share_payment (member_id, transaction, amount)
  select of_member, posted.id, of_amount - paid_before from lode.ledger_transaction posted
  where posted.id = by_transaction and posted.type = :type.partnerReward
    -- This transaction type credits only one member's balance.
    and of_amount - paid_before = (
      select sum(posting.amount) from lode.posting where posting.member = of_member and posting.transaction = by_transaction);
  if not found then raise exception 'what partner % is paid is not in the ledger', of_member; end if;
end
$pay$;

revoke execute on function lode.pay_partner from public;
grant execute on function lode.pay_partner to lode_api, lode_worker;
