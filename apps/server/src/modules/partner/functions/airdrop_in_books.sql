set local role lode_orders;

-- Whether the airdrop with this key is in the ledger; null if its amount is zero. The caller has tried to post it, so
-- all stripes that the reserve had then are locked. With `only_if_empty` it may be missing only if the reserve has too little now. At commit the
-- ledger compares type and amount.
create or replace function lode.airdrop_in_books(of_member bigint, of_key text, reserve bigint, of_amount numeric, only_if_empty boolean)
  returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $airdrop$
begin
  if of_amount = 0 then return null; end if;
  perform from lode.ledger_transaction where member = of_member and key = of_key;
  if found then return true; end if;
  if only_if_empty and (select sum(balance) from lode.ledger_account where id between reserve and reserve | 63) >= of_amount then
    raise exception 'the airdrop is not in the ledger, although the reserve can pay the airdrop of %', of_amount;
  end if;
  return false;
end
$airdrop$;

revoke execute on function lode.airdrop_in_books from public;
