set local role lode_payout;

-- The legs of a transaction that two operators decided: a loss that is written off, or replaced by the pool. Null if
-- there is no such decision.
create or replace function lode.correction_legs(posted lode.ledger_transaction) returns lode.leg[]
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $legs$
declare
  cause lode.correction;
  asset_bits int;
begin
  select * into cause from lode.correction where key = posted.key;
  if (posted.member = 0
      and cause.kind = case posted.type when :type.writeOff then 'write-off' when :type.lossFundingByPool then 'fund' end) is not true then
    return null;
  end if;
  -- An account number is owner << 14 | kind << 8 | asset << 6.
  asset_bits := (select code << 6 from lode.ledger_asset where name = cause.asset);
  return (
    with leg (account, amount) as (
      select (:kind.pool:loss << 8) + asset_bits, case cause.kind when 'fund' then cause.amount else -cause.amount end
      union all select (:kind.pool:operations << 8) + asset_bits, -cause.amount where cause.kind = 'fund'
      union all select (:kind.custody:vault << 8) + asset_bits, cause.amount + cause.arrived where cause.place = 'vault'
      -- What arrived of a move to cold storage is there now.
      union all select (:kind.custody:cold << 8) + asset_bits, case cause.place when 'cold' then cause.amount else -cause.arrived end
                where cause.kind = 'write-off'
    )
    select array_agg(row(account, amount)::lode.leg order by account) from leg where amount <> 0
  );
end
$legs$;

revoke execute on function lode.correction_legs from public;
grant execute on function lode.correction_legs to lode_ledger;
