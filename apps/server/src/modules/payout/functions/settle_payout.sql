set local role lode_payout;

-- Ends a payout that the vault has paid in a final block.
create or replace function lode.settle_payout(of_id uuid, by_tx bytea, by_log_index int, at_time timestamptz) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $settle$
begin
  update lode.payout
  set ended = 'final', ended_at = lode.now(), paid_tx = by_tx, paid_log_index = by_log_index, paid_at = at_time,
      held_check = null, waits_for = null
  where id = of_id and ended is null;
  if not found then raise exception 'payout % has ended', of_id; end if;
end
$settle$;

revoke execute on function lode.settle_payout from public;
grant execute on function lode.settle_payout to lode_worker;
