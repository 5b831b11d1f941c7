set local role lode_payout;

-- Two operators write off what left custody without a payout. The decision must name exactly what the worker found and
-- what stops the asset now: the log or the block, the asset, the amount and the place. Then the stop ends, and the
-- worker reads the blocks again and posts the log as a write-off. Returns `done` if the decision already has an outcome,
-- `ok` if it was carried out, and otherwise why not.
create or replace function lode.write_off(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $write_off$
declare
  decided jsonb := lode.take_decision(of_decision, 'write-off', 2);
  stop lode.asset_stop;
  cause text;
begin
  if decided is null then return 'done'; end if;
  select * into stop from lode.asset_stop where asset = decided ->> 'symbol';
  cause := case when stop.tx is null then 'block:' || stop.block_number else '0x' || encode(stop.tx, 'hex') || ':' || stop.log_index end;
  if (decided ->> 'cause' = cause
      and (decided ->> 'amount')::numeric = stop.amount
      and decided ->> 'from' = stop.place
      and (decided ->> 'arrived')::numeric = stop.arrived) is not true then
    return 'unknown';
  end if;
  if stop.tx is null and lode.has_false_posting(stop.asset) then return 'false'; end if;
  insert into lode.correction (id, kind, decision_id, asset, amount, key, place, arrived, tx, log_index, block_number, purpose)
  values (
    (decided ->> 'nonce')::uuid, 'write-off', of_decision, stop.asset, stop.amount,
    (select 'chain:' || chain_id || ':' || case when stop.tx is null then concat_ws(':', 'balance', stop.place, stop.asset, stop.block_number) else cause end
     from lode.chain_state),
    stop.place, stop.arrived, stop.tx, stop.log_index, stop.block_number, decided ->> 'note')
  on conflict (key) do nothing;
  if not found then return 'answered'; end if;
  perform lode.end_asset_stops(stop.asset);
  return 'ok';
end
$write_off$;

revoke execute on function lode.write_off from public;
grant execute on function lode.write_off to lode_worker;
