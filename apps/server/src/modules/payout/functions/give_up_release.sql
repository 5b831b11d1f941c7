set local role lode_payout;

-- Ends a release that is in no block and can no longer be paid, because the vault took the payer's role away. Returns how
-- many payouts stepped back.
create or replace function lode.give_up_release(of_number bigint) returns int
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $give$
declare
  stepped_back int;
begin
  update lode.release set given_up = true, ended_at = lode.now() where number = of_number and ended_at is null;
  if not found then return 0; end if;
  update lode.payout set release_number = null, look_at = lode.now(), held_check = null, waits_for = null
  where release_number = of_number and ended is null;
  get diagnostics stepped_back = row_count;
  return stepped_back;
end
$give$;

revoke execute on function lode.give_up_release from public;
grant execute on function lode.give_up_release to lode_worker;
