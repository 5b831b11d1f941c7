set local role lode_payout;

-- Ends a transfer that will not be paid. The caller has locked the row, and unfreezes the money in its transaction.
create or replace function lode.end_unpaid_transfer(of_id uuid, as_what text, with_note text default null) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $end$
  update lode.payout
  set ended = as_what, ended_at = lode.now(), release_number = null, waits_for = null, held_check = null, rejection_note = with_note
  where id = of_id;
  update lode.quota_use set given_back_at = lode.now() where payout_id = of_id;
$end$;

revoke execute on function lode.end_unpaid_transfer from public;
