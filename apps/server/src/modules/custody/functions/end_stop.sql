-- Ends the stop that two operators named by its time and the hash of its reason: that of the watcher (`stop:chain`) or of
-- one asset (`stop:USDT`). Returns `other-stop` if there is no such stop, for example because a later one took its place.
create or replace function lode.end_stop(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $end$
declare
  decided jsonb := lode.take_decision(of_decision, 'end-stop', 2);
  of_asset text;
begin
  if decided is null then return 'done'; end if;
  if decided ->> 'subject' <> 'stop:chain' then
    select asset into of_asset from lode.asset_stop
    where 'stop:' || asset = decided ->> 'subject'
      and date_trunc('milliseconds', stopped_at) = (decided ->> 'stoppedAt')::timestamptz
      and encode(lode.text_hash(reason), 'hex') = decided ->> 'reason';
    if of_asset is null then return 'other-stop'; end if;
    perform lode.end_asset_stops(of_asset);
    return 'ok';
  end if;
  update lode.chain_state set stopped_reason = null, stopped_at = null
  where date_trunc('milliseconds', stopped_at) = (decided ->> 'stoppedAt')::timestamptz
    and encode(lode.text_hash(stopped_reason), 'hex') = decided ->> 'reason';
  return case when found then 'ok' else 'other-stop' end;
end
$end$;

revoke execute on function lode.end_stop from public;
grant execute on function lode.end_stop to lode_worker;
