-- Stops the watcher: nothing is credited. The worker may call this, but only two operators can end the stop (end_stop).
-- An earlier reason is kept.
create or replace function lode.stop_chain(reason text) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $stop$
  update lode.chain_state set stopped_reason = reason, stopped_at = lode.now() where stopped_reason is null;
$stop$;

revoke execute on function lode.stop_chain from public;
grant execute on function lode.stop_chain to lode_worker;
