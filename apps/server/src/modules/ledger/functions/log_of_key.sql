set local role lode_ledger;

-- The chain log in a key such as `chain:1:0x…:5`. Nulls if it is not the key of a log of this pool's chain. Which chain
-- that is, is known from the start of the watcher on.
create or replace function lode.log_of_key(key text, out tx bytea, out log_index int)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $log$
begin
  if key ~ '^chain:[1-9][0-9]*:0x[0-9a-f]{64}:(0|[1-9][0-9]{0,8})$' then
    if split_part(key, ':', 2) = coalesce((select chain_id::text from lode.chain_state), split_part(key, ':', 2)) then
      tx := decode(substr(split_part(key, ':', 3), 3), 'hex');
      log_index := split_part(key, ':', 4)::int;
    end if;
  end if;
end
$log$;

revoke execute on function lode.log_of_key from public;
grant execute on function lode.log_of_key to lode_orders, lode_payout;
