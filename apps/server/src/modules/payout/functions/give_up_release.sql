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
  perform from lode.release where number = of_number and ended_at is null for update;
  if not found then return 0; end if;
  stepped_back := lode.end_release(of_number);
  update lode.release set given_up = true where number = of_number;
  return stepped_back;
end
$give$;

revoke execute on function lode.give_up_release from public;
grant execute on function lode.give_up_release to lode_worker;
