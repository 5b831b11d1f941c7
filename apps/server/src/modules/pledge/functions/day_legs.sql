set local role lode_orders;

-- The legs of the transactions that share out a day: the bitcoin for the pledges, and the partners' part. Null if that
-- day is not closed. Also of the funding of a day, which comes with the Bitcoin output that it passes on.
create or replace function lode.day_legs(posted lode.ledger_transaction) returns lode.leg[]
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $legs$
declare
  log record;
  given numeric;
  of_day int := case when posted.key ~ '^day:[0-9]{1,9}:' then split_part(posted.key, ':', 2)::int end;
begin
  if posted.type = :type.dividendFunding then
    log := lode.log_of_key(posted.key);
    select amount into given from lode.dividend_funding where tx = log.tx and log_index = log.log_index;
    return case when given is not null then array[row(:account.custody:vault.BTC, -given), row(:account.dividend:funded.BTC, given)]::lode.leg[] end;
  end if;
  if posted.type = :type.dividendClose then
    select admitted + from_carry into given from lode.production_day
    where day = of_day and weight > 0 and posted.key = 'day:' || day || ':dividend';
    return case when given is not null then array[row(:account.dividend:funded.BTC, -given), row(:account.dividend:payable.BTC, given)]::lode.leg[] end;
  end if;
  select amount into given from lode.partner_day
  where day = of_day and posted.key = 'day:' || day || ':partner'
    and posted.type = case when partners > 0 then :type.partnerClose else :type.partnerUnshared end;
  if given is null then return null; end if;
  if posted.type = :type.partnerClose then
    return array[row(:account.partner:funded.USDT, -given), row(:account.partner:payable.USDT, given)]::lode.leg[];
  end if;
  return array[row(:account.pool:mining.USDT, given), row(:account.partner:funded.USDT, -given)]::lode.leg[];
end
$legs$;

revoke execute on function lode.day_legs from public;
grant execute on function lode.day_legs to lode_ledger;
