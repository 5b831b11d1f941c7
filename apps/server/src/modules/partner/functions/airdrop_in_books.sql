set local role lode_orders;

-- Whether the airdrop is in the ledger; null if its amount is zero. It must be paid in full. It may be unpaid only if
-- the reserve has too little. The caller's posting has locked the reserve.
create or replace function lode.airdrop_in_books(of_member bigint, of_key text, of_type int, of_amount numeric) returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $airdrop$
declare
  posted numeric;
begin
  if of_amount = 0 then return null; end if;
  select sum(posting.amount) into posted
  from lode.ledger_transaction as entry
  join lode.posting on posting.transaction = entry.id and posting.member = of_member
  where entry.member = of_member and entry.key = of_key and entry.type = of_type;
  if posted is not null then
    if posted <> of_amount then raise exception 'an airdrop of % was decided, and % is in the ledger', of_amount, posted; end if;
    return true;
  end if;
  if (select balance from lode.ledger_account where id = :account.reserve:airdrop.BTN) >= of_amount then
    raise exception 'the airdrop is not in the ledger, although the reserve can pay the airdrop of %', of_amount;
  end if;
  return false;
end
$airdrop$;

revoke execute on function lode.airdrop_in_books from public;
