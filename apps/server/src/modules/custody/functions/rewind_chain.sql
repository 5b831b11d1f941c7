-- Sets the posted block back to the one that two operators chose, so that all later blocks are read again. Logs that are
-- in the ledger stay there once, because their keys are used. Stops of assets end, and come back if their cause remains.
-- Returns `not-later` if no later block is posted.
create or replace function lode.rewind_chain(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $rewind$
declare
  decided jsonb := lode.take_decision(of_decision, 'rewind', 2);
  back_to bigint;
begin
  if decided is null then return 'done'; end if;
  back_to := (decided ->> 'block')::bigint;
  perform from lode.chain_state where posted_number > back_to for update;
  if not found then return 'not-later'; end if;
  perform lode.end_asset_stops();
  update lode.chain_state set posted_number = back_to, posted_hash = null where posted_number > back_to;
  return 'ok';
end
$rewind$;

revoke execute on function lode.rewind_chain from public;
grant execute on function lode.rewind_chain to lode_worker;
