-- What promotions bring to the partners, shared out with each day by the same reckoning as the bitcoin: every partner weighs one, nothing
-- is held back, and a day without partners leaves it to the mining fund. docs/production.md explains it.

grant create on schema lode to lode_orders;
set local role lode_orders;

-- Amounts are smallest units of USDT; what is marked "scaled" is in units of 10 to the power of −36 of one.
create table lode.partner_day (
  day int primary key references lode.production_day,
  -- All that had gathered: shared out, or left to the mining fund where there is no partner.
  amount numeric not null check (amount >= 0 and amount = trunc(amount)),
  partners numeric not null check (partners >= 0 and partners = trunc(partners)),
  -- Scaled: what each got on this day, what each got up to then, what is left.
  quotient numeric not null check (quotient >= 0 and quotient = trunc(quotient)),
  per_partner numeric not null check (per_partner >= quotient and per_partner = trunc(per_partner)),
  remainder numeric not null check (remainder >= 0 and remainder = trunc(remainder))
);

select lode.keep_as_written('lode.partner_day');

-- Smallest units of USDT that a partner has collected.
create table lode.partner_paid (
  member_id bigint primary key references lode.member,
  paid numeric not null default 0 check (paid >= 0 and paid = trunc(paid))
);

-- What each had got by the end of a day, or of the last one that was closed before it.
create function lode.per_partner_at(of_day int) returns numeric
language sql security definer stable
set search_path = pg_catalog, pg_temp
as $at$
  select coalesce((select per_partner from lode.partner_day where day <= of_day order by day desc limit 1), 0)
$at$;

-- Keeps the partners' part of the day that is being closed, in the transaction that closes it. Whatever is given is reckoned again.
create function lode.close_partner_day(of_day int, of_amount numeric, s numeric, q numeric, a numeric, r numeric) returns void
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
    raise exception 'the partners’ part of day % is reckoned otherwise', of_day;
  end if;
  -- Both types credit one account each. Where there is no posting there is no part; NaN has no scale, and is no part either.
  if (scale(of_amount) = 0 and of_amount = coalesce((
        select sum(booked.amount)
        from lode.ledger_transaction posted join lode.posting booked on booked.member = 0 and booked.transaction = posted.id
        where posted.member = 0 and posted.key = 'day:' || of_day || ':partner'
          and posted.type = case when s > 0 then 33 else 34 end and booked.amount > 0), 0)) is not true then
    raise exception 'the partners’ part of day % is not in the books', of_day;
  end if;
  insert into lode.partner_day (day, amount, partners, quotient, per_partner, remainder) values (of_day, of_amount, s, q, a, r);
end
$close$;

-- What a partner was paid so far, under a lock, and what each partner has got since it is one. Nothing where it is none.
create function lode.lock_partner(of_member bigint)
  returns table (paid numeric, per_partner_from numeric, per_partner_to numeric)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $lock$
declare
  since_day int := (select approved_day from lode.partner where member_id = of_member);
begin
  if since_day is null then return; end if;
  insert into lode.partner_paid (member_id) values (of_member) on conflict do nothing;
  perform from lode.partner_paid where member_id = of_member for no key update;
  return query
    select partner_paid.paid, lode.per_partner_at(since_day), lode.per_partner_at(2147483647)
    from lode.partner_paid where member_id = of_member;
end
$lock$;

-- That a partner is paid so much by now, what is new of it by a transaction of the books, which the caller has posted.
create function lode.pay_partner(of_member bigint, of_amount numeric, by_transaction bigint) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $pay$
declare
  paid_before numeric;
begin
  select paid into paid_before from lode.partner_paid where member_id = of_member for no key update;
  update lode.partner_paid set paid = of_amount
  from lode.partner
  where partner.member_id = of_member and partner_paid.member_id = of_member and partner_paid.paid <= of_amount
    and of_amount <= div(lode.per_partner_at(2147483647) - lode.per_partner_at(partner.approved_day), 1e36::numeric);
  if not found then raise exception 'partner % is not entitled to that', of_member; end if;
  insert into lode.share_payment (transaction)
  select posted.id from lode.ledger_transaction posted
  where posted.id = by_transaction and posted.type = 35
    -- The type credits one member's balance alone.
    and of_amount - paid_before = (
      select sum(posting.amount) from lode.posting where posting.member = of_member and posting.transaction = by_transaction);
  if not found then raise exception 'what partner % is paid is not in the books', of_member; end if;
end
$pay$;

revoke execute on function lode.per_partner_at, lode.close_partner_day, lode.lock_partner, lode.pay_partner from public;
grant execute on function lode.per_partner_at to lode_api, lode_worker;
grant execute on function lode.lock_partner, lode.pay_partner to lode_api;
grant execute on function lode.close_partner_day to lode_worker;
grant select on lode.partner_day, lode.partner_paid to lode_api, lode_worker;

reset role;
revoke create on schema lode from lode_orders;
