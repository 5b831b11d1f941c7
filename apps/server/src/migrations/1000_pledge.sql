-- Pledges, and the days whose bitcoin is shared out among them. docs/production.md draws it; modules/pledge/rules.ts proves it.
--
-- A day is closed once, in order, and never changed. The processes write all of this by the functions of
-- modules/pledge/functions and modules/partner/functions alone. These calculate again what they are given, so that two
-- ways of calculating must agree before anything is kept.

grant create on schema lode to lode_orders;
grant select on lode.dividend_funding to lode_orders;
grant references on lode.dividend_funding, lode.decision_signature, lode.plan to lode_orders;

set local role lode_ledger;
grant select (account) on lode.posting to lode_orders;
reset role;

set local role lode_orders;

-- ---- pledges and days --------------------------------------------------------------------------------------------------

-- A day's bitcoin, shared out. The letters are those of docs/production.md. Amounts are smallest units of BTC; what is marked
-- "scaled" is in units of 10 to the power of −36 of one.
create table lode.production_day (
  day int primary key,
  -- F: of the funding, what this day lets in. X: what is beyond the most of one day. T: what had waited and is let in. C: what
  -- waits after it.
  admitted numeric not null check (admitted >= 0 and admitted = trunc(admitted)),
  above numeric not null check (above >= 0 and above = trunc(above)),
  from_carry numeric not null check (from_carry between 0 and admitted and from_carry = trunc(from_carry)),
  carry numeric not null check (carry >= 0 and carry = trunc(carry)),
  -- Z, scaled: what those who ran no more had beyond whole units.
  freed numeric not null check (freed >= 0 and freed = trunc(freed)),
  -- S: the weights that ran on this day.
  weight numeric not null check (weight >= 0 and weight = trunc(weight)),
  -- q, scaled: what one unit of weight got on this day. A, scaled: what it got up to then. R, scaled: what is left.
  quotient numeric not null check (quotient >= 0 and quotient = trunc(quotient)),
  per_weight numeric not null check (per_weight >= quotient and per_weight = trunc(per_weight)),
  remainder numeric not null check (remainder >= 0 and remainder = trunc(remainder)),
  -- By which plan the day's most and hour were, and what two operators approved beyond it.
  plan_version int not null references lode.plan,
  decision_id bigint,
  decision_place smallint check (decision_place = 2),
  closed_at timestamptz not null default lode.now(),
  foreign key (decision_id, decision_place) references lode.decision_signature (decision_id, place) match full
);

-- Which funding is in which day.
create table lode.day_funding (
  tx bytea not null,
  log_index int not null,
  day int not null references lode.production_day deferrable initially deferred,
  primary key (tx, log_index),
  foreign key (tx, log_index) references lode.dividend_funding
);
create index day_funding_by_day on lode.day_funding (day);

-- BTN that is locked for a term, from its first day up to, and without, its end. Its id is its order's.
create table lode.pledge (
  id uuid primary key references lode.pay_order,
  member_id bigint not null references lode.member,
  amount numeric not null check (amount > 0),
  weight numeric not null check (weight > 0),
  start_day int not null,
  end_day int not null check (end_day > start_day),
  -- Smallest units of BTC of its dividend that are in the balance.
  paid numeric not null default 0 check (paid >= 0 and paid = trunc(paid)),
  -- When the BTN came back, and when the last of its dividend was settled.
  returned_at timestamptz,
  settled_at timestamptz
) with (fillfactor = 80);

create index pledge_running on lode.pledge (member_id) where settled_at is null;
create index pledge_by_member on lode.pledge (member_id, end_day);
create index pledge_to_return on lode.pledge (end_day, id) where returned_at is null;
create index pledge_to_settle on lode.pledge (end_day, id) where settled_at is null;

-- How the sum of the weights changes from day to day: so a close reads a few rows and not all pledges. A day's sums are spread
-- over several rows, so that many can pledge at once: one for the worker, who settles one block at a time, one for what ends, the
-- others by connection.
create table lode.pledge_change (
  day int not null,
  stripe smallint not null check (stripe between 0 and 16),
  started numeric not null default 0 check (started >= 0),
  ended numeric not null default 0 check (ended >= 0),
  -- Scaled: what those who ended had beyond whole units.
  freed numeric not null default 0 check (freed >= 0),
  primary key (day, stripe)
) with (fillfactor = 60);

-- Which transactions of the books have paid members their part of closed days, of the dividend or of what is the partners'. Each stands
-- here once: it was noted with the pledges, or with the partner, whose part it is.
create table lode.share_payment (
  transaction bigint primary key
);

-- A closed day stays as it is, and so does what was paid of it.
select lode.keep_as_written('lode.production_day');
select lode.keep_as_written('lode.day_funding');
select lode.keep_as_written('lode.share_payment');

-- Final funding that is in no day yet. The books say how much it is: no other type credits `dividend:funded`. A row
-- that somebody made up is not in this view.
create view lode.unused_funding as
  select given.tx, given.log_index, given.day, booked.amount
  from lode.dividend_funding given
  join lode.ledger_transaction log
    on log.member = 0 and log.type = :type.dividendFunding
      and log.key = (select 'chain:' || chain_id from lode.chain_state) || ':0x' || encode(given.tx, 'hex') || ':' || given.log_index
  join lode.posting booked on booked.member = 0 and booked.account = :account.dividend:funded.BTC and booked.transaction = log.id
  where not exists (
    select from lode.day_funding used where used.tx = given.tx and used.log_index = given.log_index);

-- ---- what each process may do ------------------------------------------------------------------------------------------

grant select on lode.production_day, lode.day_funding, lode.unused_funding, lode.pledge, lode.pledge_change to lode_api, lode_worker;
-- What operators look at before they approve a day.
grant select on lode.production_day, lode.day_funding, lode.unused_funding to lode_operator;

reset role;

revoke create on schema lode from lode_orders;
grant select on lode.plan, lode.dividend_funding to lode_operator;
