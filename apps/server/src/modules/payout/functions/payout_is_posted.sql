set local role lode_payout;

-- At commit, the ledger must have the transaction that a new or ended payout causes. What these transactions must look
-- like is in payout_legs().
create or replace function lode.payout_is_posted() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $posted$
declare
  own_key text := new.kind || ':' || new.id;
begin
  if new.ended = 'final' then
    perform from lode.ledger_transaction
    where member = 0
      and type = case new.kind when 'transfer' then :type.transferPaid when 'treasury' then :type.treasuryPaid else :type.suspenseReturnPaid end
      and key = lode.key_of_log(new.paid_tx, new.paid_log_index);
  else
    perform from lode.ledger_transaction
    where member = coalesce(new.member_id, 0)
      and key = case when tg_op = 'INSERT' then own_key when new.kind = 'transfer' then own_key || ':release' else own_key || ':undone' end
      and type = case new.kind
        when 'transfer' then case tg_op when 'INSERT' then :type.transferRequest else :type.transferRelease end
        when 'treasury' then case tg_op when 'INSERT' then :type.treasuryPay else :type.treasuryUndone end
        else case tg_op when 'INSERT' then :type.suspenseReturn else :type.suspenseReturnUndone end end;
  end if;
  if not found then
    raise exception 'payout % is not in the ledger', new.id using errcode = 'LL003';
  end if;
  return null;
end
$posted$;

revoke execute on function lode.payout_is_posted from public;

create constraint trigger payout_is_posted after insert or update of ended on lode.payout
  deferrable initially deferred
  for each row execute function lode.payout_is_posted();
alter table lode.payout enable always trigger payout_is_posted;
