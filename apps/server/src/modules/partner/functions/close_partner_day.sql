set local role lode_orders;

-- Stores the partners' part of the day that is being closed, in the transaction that closes it. All given figures are
-- checked by computing them again.
create or replace function lode.close_partner_day(of_day int, of_amount numeric, s numeric, q numeric, a numeric, r numeric) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $close$
declare
  last lode.partner_day;
begin
  perform pg_advisory_xact_lock(hashtext('lode: production'));
  if (select max(day) from lode.production_day) is distinct from of_day then
    raise exception 'day % is not the one that is being closed', of_day;
  end if;
  select * into last from lode.partner_day order by day desc limit 1;
  if (s = (select count(*) from lode.partner where approved_day < of_day)
      and a = coalesce(last.per_partner, 0) + q
      and case when s > 0 then of_amount * 1e36::numeric + coalesce(last.remainder, 0) = q * s + r and r < s
               else q = 0 and r = coalesce(last.remainder, 0) end) is not true then
    raise exception 'the partners’ part of day % has other figures than the database computes', of_day;
  end if;
  -- Both types credit one account each. Without a posting the amount must be 0. NaN fails, because its scale is null.
  if (scale(of_amount) = 0 and of_amount = coalesce((
        select sum(booked.amount)
        from lode.ledger_transaction posted join lode.posting booked on booked.member = 0 and booked.transaction = posted.id
        where posted.member = 0 and posted.key = 'day:' || of_day || ':partner'
          and posted.type = case when s > 0 then :type.partnerClose else :type.partnerUnshared end and booked.amount > 0), 0)) is not true then
    raise exception 'the partners’ part of day % is not in the ledger', of_day;
  end if;
  insert into lode.partner_day (day, amount, partners, quotient, per_partner, remainder) values (of_day, of_amount, s, q, a, r);
end
$close$;

revoke execute on function lode.close_partner_day from public;
grant execute on function lode.close_partner_day to lode_worker;
