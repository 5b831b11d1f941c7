set local role lode_orders;

-- The legs of a payment of shared money, of the dividends or of the partners' part. Null if it is not recorded with the
-- pledges or the partner that it pays.
create or replace function lode.share_legs(posted lode.ledger_transaction) returns lode.leg[]
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $legs$
declare
  receiver bigint;
  given numeric;
begin
  if posted.type = :type.pledgeRest then
    -- The pledge in the key must be settled too. Otherwise its key would be spent when its own last dividend is due.
    select member_id into receiver from lode.pledge
    where id = lode.id_of_key(posted.key) and posted.key = 'pledge:' || id || ':rest' and settled_at is not null;
  elsif posted.key = 'collect:' || lode.id_of_key(posted.key) then
    receiver := posted.member;
  end if;
  select amount into given from lode.share_payment where member_id = receiver and transaction = posted.id;
  if given is null then return null; end if;
  if posted.type = :type.partnerReward then
    return array[row(:account.partner:payable.USDT, -given), row((receiver << 14) + :account.available.USDT, given)]::lode.leg[];
  end if;
  return array[row(:account.dividend:payable.BTC, -given), row((receiver << 14) + :account.available.BTC, given)]::lode.leg[];
end
$legs$;

revoke execute on function lode.share_legs from public;
grant execute on function lode.share_legs to lode_ledger;
