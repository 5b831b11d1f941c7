set local role lode_ledger;

-- The opposite of what a ledger transaction changed. Days count on dividend:funded, so what a false funding promised is
-- not taken back from there: it is missing, in pool:loss.
create or replace function lode.opposite_legs(of_transaction bigint) returns table (account bigint, amount numeric)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $legs$
begin
  -- An account number is owner << 14 | kind << 8 | asset << 6 | stripe.
  return query
  select case (posting.account >> 8) & 63 when :kind.dividend:funded
              then (:kind.pool:loss << 8) | (posting.account & 192) else posting.account & -64 end,
         -sum(posting.amount)
  from lode.posting where posting.transaction = of_transaction group by 1;
end
$legs$;

revoke execute on function lode.opposite_legs from public;
