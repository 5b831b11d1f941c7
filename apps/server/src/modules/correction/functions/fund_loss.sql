set local role lode_payout;

-- Two operators replace what is missing by money of pool:operations. The caller posts it in the same transaction.
-- Returns `done` if the decision already has an outcome, `ok` if it was recorded, and `expired` if it came too late.
create or replace function lode.fund_loss(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $fund$
declare
  decided record;
begin
  insert into lode.decision_outcome (decision_id) values (of_decision) on conflict do nothing;
  if not found then return 'done'; end if;
  select * into decided from lode.signed_by_two(of_decision, 'fund-loss');
  if decided.expired then return 'expired'; end if;
  insert into lode.correction (id, kind, decision_id, asset, amount, key, purpose)
  values (
    (decided.body ->> 'nonce')::uuid, 'fund', of_decision, decided.body ->> 'symbol', (decided.body ->> 'amount')::numeric,
    'correction:' || (decided.body ->> 'nonce'), decided.body ->> 'note');
  return 'ok';
end
$fund$;

revoke execute on function lode.fund_loss from public;
grant execute on function lode.fund_loss to lode_worker;
