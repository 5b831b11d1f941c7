set local role lode_payout;

-- Ends a release whose nonce is spent at a posted block. All its vault logs are in the ledger by then. So a payout of
-- the release that has not ended was not paid, and steps back. Returns how many payouts stepped back.
create or replace function lode.end_release(of_number bigint) returns int
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $end$
declare
  stepped_back int;
begin
  update lode.release set ended_at = lode.now() where number = of_number and ended_at is null;
  if not found then return 0; end if;
  update lode.payout set release_number = null, look_at = lode.now(), held_check = null, waits_for = null
  where release_number = of_number and ended is null;
  get diagnostics stepped_back = row_count;
  return stepped_back;
end
$end$;

revoke execute on function lode.end_release from public;
grant execute on function lode.end_release to lode_worker;
