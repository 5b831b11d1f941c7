set local role lode_payout;

-- Rejects a transfer for the operators. The caller has verified their signatures.
create or replace function lode.reject_transfer(of_id uuid, with_note text) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $reject$
declare
  found_payout lode.payout;
begin
  select * into found_payout from lode.payout where id = of_id and kind = 'transfer' for no key update;
  if not found then return 'unknown'; end if;
  if found_payout.ended is not null or found_payout.release_number is not null then return 'too-late'; end if;
  perform lode.end_unpaid_transfer(of_id, 'rejected', with_note);
  return 'ok';
end
$reject$;

revoke execute on function lode.reject_transfer from public;
grant execute on function lode.reject_transfer to lode_worker;
