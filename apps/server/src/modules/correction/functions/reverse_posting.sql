-- Undoes an announced posting after its 72 hours. The database computes what is taken back, so that the worker can choose
-- nothing. Returns `ok`; `done` if there is nothing to do any more; `early`; `caused` if a cause was found since, which
-- ends it; `insufficient` if an account of the pool does not have enough.
create or replace function lode.reverse_posting(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $reverse$
declare
  announced lode.reversal;
  undone lode.ledger_transaction;
  new_key text;
  leg record;
  outcome text;
begin
  select * into announced from lode.reversal where decision_id = of_decision and ended is null for update;
  if not found then return 'done'; end if;
  if announced.due_at > lode.now() then return 'early'; end if;
  select * into strict undone from lode.ledger_transaction where id = announced.transaction;
  if not lode.is_false(undone) then
    update lode.reversal set ended = 'caused', ended_at = lode.now() where decision_id = of_decision;
    return 'caused';
  end if;
  -- Takes the lock that the watcher takes first, before any account is locked.
  perform lode.end_asset_stops(announced.asset);
  new_key := 'correction:' || (select body::jsonb ->> 'nonce' from lode.decision where id = of_decision);
  select array_agg(case when legs.account < 0 then legs.account & 16383 else legs.account end order by legs.account) as accounts,
         array_agg((select address from lode.suspense_holder where owner = legs.account >> 14) order by legs.account) as addresses,
         array_agg(legs.amount order by legs.account) as amounts,
         array_agg(case when legs.account >> 14 > 0 then 1 else 0 end order by legs.account) as lines,
         count(*)::int as count, bool_or(legs.account >> 14 > 0) as has_line
  into leg from lode.reversal_legs(undone.id) legs;
  outcome := (lode.post(
    leg.accounts, leg.addresses, array[0::bigint], array[new_key], array[lode.text_hash(new_key)], array[:type.reverse::smallint],
    array_fill(1, array[leg.count]), array(select generate_series(1, leg.count)), leg.amounts, leg.lines,
    case when leg.has_line then array[:log.reversal::smallint] else '{}' end,
    case when leg.has_line then array[new_key] else '{}' end,
    case when leg.has_line then array[0::numeric] else '{}' end, true))[1];
  if outcome not like 'posted %' then return 'insufficient'; end if;
  -- An account from which nothing could be taken has no posting, and is not locked yet. If another
  -- transaction changes it at this moment, this one waits for it, so that the check at commit sees what the account had.
  perform from lode.ledger_account where id in (
    select stripe from lode.opposite_legs(undone.id), generate_series(account, account + 63) stripe where amount < 0)
  order by id for update;
  insert into lode.correction (id, kind, decision_id, asset, amount, key, answers, purpose, decided_at)
  select (body::jsonb ->> 'nonce')::uuid, 'reverse', of_decision, announced.asset, announced.amount, new_key,
         announced.transaction, announced.note, announced.announced_at
  from lode.decision where id = of_decision;
  update lode.reversal set ended = 'posted', ended_at = lode.now() where decision_id = of_decision;
  return 'ok';
end
$reverse$;

revoke execute on function lode.reverse_posting from public;
grant execute on function lode.reverse_posting to lode_worker;
