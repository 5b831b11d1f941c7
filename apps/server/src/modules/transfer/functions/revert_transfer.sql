set local role lode_payout;

-- Ends a transfer that its token refused twice, in final blocks.
create or replace function lode.revert_transfer(of_id uuid) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $revert$
begin
  perform from lode.payout
  where id = of_id and kind = 'transfer' and ended is null and release_number is null and token_failures > 1
  for no key update;
  if not found then raise exception 'transfer % cannot be reverted', of_id; end if;
  perform lode.end_unpaid_transfer(of_id, 'reverted');
end
$revert$;

revoke execute on function lode.revert_transfer from public;
grant execute on function lode.revert_transfer to lode_worker;
