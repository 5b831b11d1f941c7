set local role lode_payout;

-- Ends a payment by operators that its token refused twice. Members' transfers use revert_transfer(), which also frees
-- the quota.
create or replace function lode.revert_payment(of_id uuid) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $revert$
begin
  update lode.payout
  set ended = 'reverted', ended_at = lode.now(), release_number = null, held_check = null, waits_for = null
  where id = of_id and ended is null and kind <> 'transfer' and token_failures > 1;
  if not found then raise exception 'payout % cannot be reverted', of_id; end if;
end
$revert$;

revoke execute on function lode.revert_payment from public;
grant execute on function lode.revert_payment to lode_worker;
