set local role lode_payout;

-- Ends a payment that the signer did not sign before its decision expired. The caller posts the money back in the
-- same transaction. Returns false if there is nothing to end.
create or replace function lode.end_expired_payment(of_payout uuid) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $expire$
begin
  update lode.payout set ended = 'cancelled', ended_at = lode.now()
  where id = of_payout and kind in ('treasury', 'suspense') and ended is null and release_number is null
    and (select expires_at from lode.decision where id = payout.decision_id) <= lode.now();
  return found;
end
$expire$;

revoke execute on function lode.end_expired_payment from public;
grant execute on function lode.end_expired_payment to lode_worker;
