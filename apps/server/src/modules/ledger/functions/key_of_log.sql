set local role lode_ledger;

-- The ledger key of a log of this pool's chain, the opposite of log_of_key().
create or replace function lode.key_of_log(tx bytea, log_index int) returns text
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $key$
begin
  return (select 'chain:' || chain_id || ':0x' || encode(tx, 'hex') || ':' || log_index from lode.chain_state);
end
$key$;

revoke execute on function lode.key_of_log from public;
grant execute on function lode.key_of_log to lode_orders, lode_payout;
