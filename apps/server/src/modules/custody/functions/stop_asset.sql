-- Stops one asset: its later logs are not posted, and nothing of it is paid. The worker may call this. A stop ends by a
-- decision of two operators, or by the owner. An earlier reason is kept. Does nothing if another worker has posted the
-- next blocks meanwhile.
create or replace function lode.stop_asset(
  of_asset text, why text, after_block bigint,
  missing numeric, missing_from text, arrived_in_cold numeric, of_tx bytea, of_log int, at_block bigint
) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $stop$
  insert into lode.asset_stop (asset, reason, held_after, amount, place, arrived, tx, log_index, block_number)
  select of_asset, left(why, 500), posted_number, missing, missing_from, arrived_in_cold, of_tx, of_log, at_block
  from lode.chain_state where posted_number = after_block
  on conflict do nothing;
$stop$;

revoke execute on function lode.stop_asset from public;
grant execute on function lode.stop_asset to lode_worker;
