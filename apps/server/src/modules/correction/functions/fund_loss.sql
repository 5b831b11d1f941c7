set local role lode_payout;

-- Two operators replace what is missing by money of pool:operations. The caller posts it in the same transaction.
-- Returns `done` if the decision already has an outcome, and `ok` if it was recorded.
create or replace function lode.fund_loss(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $fund$
declare
  decided jsonb := lode.take_decision(of_decision, 'fund-loss', 2);
begin
  if decided is null then return 'done'; end if;
  insert into lode.correction (id, kind, decision_id, asset, amount, key, purpose)
  values (
    (decided ->> 'nonce')::uuid, 'fund', of_decision, decided ->> 'symbol', (decided ->> 'amount')::numeric,
    'correction:' || (decided ->> 'nonce'), decided ->> 'note');
  return 'ok';
end
$fund$;

revoke execute on function lode.fund_loss from public;
grant execute on function lode.fund_loss to lode_worker;
