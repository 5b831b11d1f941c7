set local role lode_payout;

-- The payout that the vault's payment in the log of this key ended. Null if there is none.
create or replace function lode.payout_of_log(key text) returns uuid
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $payout$
declare
  log record := lode.log_of_key(key);
begin
  return (select id from lode.payout where paid_tx = log.tx and paid_log_index = log.log_index);
end
$payout$;

revoke execute on function lode.payout_of_log from public;
grant execute on function lode.payout_of_log to lode_ledger;
