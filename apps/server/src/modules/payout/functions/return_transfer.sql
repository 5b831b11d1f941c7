set local role lode_payout;

-- Ends a transfer that `lode restored` returns to its member. The caller unfreezes the money in the same transaction.
-- False if it has ended, is signed, or is shown as paid by the chain: then it goes on as usual.
create or replace function lode.return_transfer(of_id uuid) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $return$
begin
  perform from lode.payout join lode.returned_transfer on payout_id = payout.id
  where payout.id = of_id and kind = 'transfer' and ended is null and release_number is null
  for no key update of payout;
  if not found or exists (select from lode.chain_outgoing where payout_id = of_id) then return false; end if;
  perform lode.end_unpaid_transfer(of_id, 'cancelled');
  return true;
end
$return$;

revoke execute on function lode.return_transfer from public;
grant execute on function lode.return_transfer to lode_worker;
