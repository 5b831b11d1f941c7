set local role lode_payout;

-- The legs of a transaction about a payout: what sets its money aside, what gives it back if it will not be paid, and
-- what takes it out of custody once the vault has paid. Null if there is no such payout in that state.
create or replace function lode.payout_legs(posted lode.ledger_transaction) returns lode.leg[]
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $legs$
declare
  cause lode.payout;
  log record;
  is_paid boolean := posted.type in (:type.transferPaid, :type.treasuryPaid, :type.suspenseReturnPaid);
  is_set_aside boolean := posted.type in (:type.transferRequest, :type.treasuryPay, :type.suspenseReturn);
  asset_bits int;
  origin bigint;
  aside bigint;
  total numeric;
begin
  if is_paid then
    log := lode.log_of_key(posted.key);
    select * into cause from lode.payout where paid_tx = log.tx and paid_log_index = log.log_index;
  else
    select * into cause from lode.payout where id = lode.id_of_key(posted.key) and coalesce(member_id, 0) = posted.member;
  end if;
  if (cause.kind = case
        when posted.type in (:type.transferRequest, :type.transferRelease, :type.transferPaid) then 'transfer'
        when posted.type in (:type.treasuryPay, :type.treasuryUndone, :type.treasuryPaid) then 'treasury'
        else 'suspense' end
      and case
        when is_paid then cause.ended = 'final'
        when is_set_aside then posted.key = cause.kind || ':' || cause.id
        else posted.key = cause.kind || ':' || cause.id || case cause.kind when 'transfer' then ':release' else ':undone' end
          and cause.ended <> 'final' end) is not true then
    return null;
  end if;

  -- An account number is owner << 14 | kind << 8 | asset << 6.
  asset_bits := (select code << 6 from lode.ledger_asset where name = cause.asset);
  case cause.kind
    when 'transfer' then
      origin := (cause.member_id << 14) + (:kind.available << 8) + asset_bits;
      aside := (cause.member_id << 14) + (:kind.frozenOut << 8) + asset_bits;
    when 'treasury' then
      origin := (select (code << 8) + asset_bits from lode.ledger_kind where name = cause.paid_from);
      aside := (:kind.pool:paying << 8) + asset_bits;
    else
      origin := (select (owner << 14) + (:kind.suspense:address << 8) + asset_bits from lode.suspense_holder where address = cause.address);
      aside := (:kind.suspense:returning << 8) + asset_bits;
  end case;
  total := cause.amount + cause.fee;
  return (
    with leg (account, amount) as (
      select origin, case when is_set_aside then -total else total end where not is_paid
      union all select aside, case when is_set_aside then total else -total end
      union all select (:kind.custody:vault << 8) + asset_bits, cause.amount where is_paid
      union all select (:kind.pool:operations << 8) + asset_bits, cause.fee - cause.fee_burned where is_paid
      union all select (:kind.burn:due << 8) + asset_bits, cause.fee_burned where is_paid
    )
    select array_agg(row(account, amount)::lode.leg order by account) from leg where amount <> 0
  );
end
$legs$;

revoke execute on function lode.payout_legs from public;
grant execute on function lode.payout_legs to lode_ledger;
