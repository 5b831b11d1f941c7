set local role lode_payout;

-- Cancels a transfer for its member. This function and the signer lock the same row, so only one of them can succeed.
create or replace function lode.cancel_transfer(of_member bigint, of_id uuid) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $cancel$
declare
  found_payout lode.payout;
begin
  select * into found_payout from lode.payout where id = of_id and member_id = of_member for no key update;
  if not found then return 'order-unknown'; end if;
  if found_payout.ended is not null or found_payout.release_number is not null then return 'order-completed'; end if;
  -- If the database forgot that it was signed, for example in a failover, the chain still shows it as paid.
  if exists (select from lode.chain_outgoing where payout_id = of_id) then return 'order-completed'; end if;
  perform lode.end_unpaid_transfer(of_id, 'cancelled');
  return 'ok';
end
$cancel$;

revoke execute on function lode.cancel_transfer from public;
grant execute on function lode.cancel_transfer to lode_api;
