set local role lode_orders;

-- The legs of the transaction that begins a pledge, or returns its BTN. Null if there is no such pledge.
create or replace function lode.pledge_legs(posted lode.ledger_transaction) returns lode.leg[]
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $legs$
declare
  cause lode.pay_order;
  own bigint;
begin
  if posted.type = :type.pledgeReturn then
    return (
      select array[row((member_id << 14) + :account.available.BTN, amount), row((member_id << 14) + :account.pledged.BTN, -amount)]::lode.leg[]
      from lode.pledge
      where id = lode.id_of_key(posted.key) and posted.key = 'pledge:' || id || ':return' and returned_at is not null);
  end if;
  cause := lode.settled_order(posted, :order.pledge);
  if cause.id is null then return null; end if;
  own := cause.member_id << 14;
  return
    case when cause.balance_part < cause.amount then array[row(:account.custody:vault.BTN, cause.balance_part - cause.amount)]::lode.leg[] end
    || case when cause.balance_part > 0 then array[row(own + :account.frozenOrder.BTN, -cause.balance_part)]::lode.leg[] end
    || array[row(own + :account.pledged.BTN, cause.amount)]::lode.leg[];
end
$legs$;

revoke execute on function lode.pledge_legs from public;
grant execute on function lode.pledge_legs to lode_ledger;
