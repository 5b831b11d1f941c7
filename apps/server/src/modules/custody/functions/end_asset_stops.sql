-- Ends the stop of one asset, or of all if none is named, and sets the posted block back to where the first of them
-- began. The worker reads the blocks since then again: what was held is posted now, and what is in the ledger is not
-- posted twice. Returns the reasons of the stops.
create or replace function lode.end_asset_stops(of_asset text default null) returns text[]
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $end$
declare
  reasons text[];
  back_to bigint;
begin
  -- The watcher locks this row first, too.
  perform from lode.chain_state for update;
  with ended as (
    delete from lode.asset_stop where of_asset is null or asset = of_asset returning asset, reason, held_after)
  select array_agg(asset || ': ' || reason order by asset), min(held_after) into reasons, back_to from ended;
  update lode.chain_state set posted_number = back_to, posted_hash = null where posted_number > back_to;
  return coalesce(reasons, '{}');
end
$end$;

revoke execute on function lode.end_asset_stops from public;
grant execute on function lode.end_asset_stops to lode_payout;
