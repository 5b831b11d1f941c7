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

grant select on lode.partner_day, lode.partner_paid to lode_api, lode_worker;

reset role;
revoke create on schema lode from lode_orders;
