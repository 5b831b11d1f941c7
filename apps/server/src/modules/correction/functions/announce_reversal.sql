-- Two operators decided to undo a posting. It is announced now, to the member whose balance it would change, and undone
-- 72 hours later. Returns why not, if its cause is not false or the decision describes another posting.
create or replace function lode.announce_reversal(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $announce$
declare
  decided jsonb := lode.take_decision(of_decision, 'reverse', 2);
  found_posting record;
begin
  if decided is null then return 'done'; end if;
  select * into found_posting from lode.find_reversal((decided ->> 'member')::bigint, decided ->> 'key');
  if found_posting.problem is not null then return found_posting.problem; end if;
  if (decided ->> 'type' = found_posting.type and decided ->> 'symbol' = found_posting.asset
      and (decided ->> 'amount')::numeric = found_posting.amount) is not true then
    return 'unknown';
  end if;
  insert into lode.reversal (decision_id, transaction, member_id, asset, amount, note)
  values (of_decision, found_posting.transaction, found_posting.holder, found_posting.asset, found_posting.amount, decided ->> 'note')
  on conflict (transaction) where ended is distinct from 'caused' do nothing;
  if not found then return 'answered'; end if;
  if found_posting.holder is not null then
    insert into lode.notice (member_id, reversal_id) values (found_posting.holder, of_decision);
  end if;
  return 'ok';
end
$announce$;

revoke execute on function lode.announce_reversal from public;
grant execute on function lode.announce_reversal to lode_worker;
