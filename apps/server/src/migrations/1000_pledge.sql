-- Pledges, and the days whose bitcoin is shared out among them. docs/production.md draws it; modules/pledge/rules.ts proves it.
--
-- A day is closed once, in order, and never changed. The processes write all of this by the functions below alone, which
-- reckon again what they are given, so that two ways of reckoning have to agree before anything is kept.

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

-- A at the end of a day, or of the last one that was closed before it.
create function lode.per_weight_at(of_day int) returns numeric
language sql security definer stable
set search_path = pg_catalog, pg_temp
as $at$
  select coalesce((select per_weight from lode.production_day where day <= of_day order by day desc limit 1), 0)
$at$;

create function lode.day_of(moment timestamptz) returns int
language sql immutable
set search_path = pg_catalog, pg_temp
as $day$ select floor(extract(epoch from moment) / 86400)::int $day$;

-- No day closes while somebody who holds this begins a pledge: which day is the first that is still open must be true until the
-- commit. Taken before the accounts.
create function lode.keep_days_open() returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $keep$ select pg_advisory_xact_lock_shared(hashtext('lode: production')) $keep$;

-- Ends an order for a pledge with success, and begins the pledge. It is in the books by then, in the same transaction.
create function lode.settle_pledge(of_id uuid, by_tx bytea, by_log_index int, at_time timestamptz) returns int
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $settle$
declare
  present lode.pay_order;
  booked bigint;
  first_day int;
  own_stripe int;
begin
  select * into present from lode.pay_order where id = of_id and type = 3 and ended is null for no key update;
  if not found then raise exception 'order % is no open pledge', of_id; end if;
  -- What is to be paid online is paid when the chain says so, which is the worker's to hear.
  if (present.deadline is null) <> (by_tx is null) or (by_tx is not null and session_user = 'lode_api') then
    raise exception 'order % is not paid like this', of_id;
  end if;
  if by_tx is null then
    select id into booked from lode.ledger_transaction
    where member = present.member_id and key = 'order:' || of_id || ':settle' and type = 14;
  else
    select id into booked from lode.ledger_transaction
    where member = 0 and type = 15
      and key = (select 'chain:' || chain_id from lode.chain_state) || ':0x' || encode(by_tx, 'hex') || ':' || by_log_index;
  end if;
  if booked is null then raise exception 'order % is not in the books', of_id; end if;
  -- Both types credit `pledged` alone.
  if (select sum(amount) from lode.posting where transaction = booked and member = present.member_id and amount > 0)
     is distinct from present.amount then
    raise exception 'order % is in the books with another amount', of_id;
  end if;

  perform lode.keep_days_open();
  -- Nor before the first day of all, which no close would count.
  first_day := greatest(lode.day_of(coalesce(at_time, lode.now())), (select lode.day_of(min(starts_at)) - 1 from lode.plan),
                        (select max(day) from lode.production_day)) + 1;
  update lode.pay_order
  set ended = 'success', ended_at = lode.now(), settlement = nextval('lode.settlement'),
      paid_tx = by_tx, paid_log_index = by_log_index, paid_at = at_time
  where id = of_id;
  insert into lode.pledge (id, member_id, amount, weight, start_day, end_day)
  values (of_id, present.member_id, present.amount, present.weight, first_day, first_day + present.term_days);

  -- The worker settles several in one transaction and would else have to take these rows by day.
  own_stripe := case when session_user = 'lode_worker' then 0 else 1 + pg_backend_pid() % 15 end;
  insert into lode.pledge_change (day, stripe, started) values (first_day, own_stripe, present.weight)
  on conflict (day, stripe) do update set started = pledge_change.started + excluded.started;
  insert into lode.pledge_change (day, stripe, ended) values (first_day + present.term_days, own_stripe, present.weight)
  on conflict (day, stripe) do update set ended = pledge_change.ended + excluded.ended;
  return first_day;
end
$settle$;

-- ---- closing a day -----------------------------------------------------------------------------------------------------

-- All that a close needs to know, under the lock that keeps everybody else from closing and from beginning a pledge. The first day
-- of all is that on which the first plan started: before it nothing could be pledged.
create function lode.lock_next_day(out next_day int, out carry numeric, out weight numeric, out per_weight numeric,
  out remainder numeric, out started numeric, out ended numeric, out freed numeric, out unsettled boolean, out funding numeric)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
-- By the index, whatever the planner believes of how many there are: the first that ends is the first in it.
-- Before PostgreSQL 18 a plan that may not scan counts as so dear that it is compiled first, for half a second.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $lock$
declare
  last lode.production_day;
begin
  perform pg_advisory_xact_lock(hashtext('lode: production'));
  select * into last from lode.production_day order by day desc limit 1;
  next_day := coalesce(last.day + 1, (select lode.day_of(min(starts_at)) from lode.plan));
  if next_day is null then return; end if;
  carry := coalesce(last.carry, 0);
  weight := coalesce(last.weight, 0);
  per_weight := coalesce(last.per_weight, 0);
  remainder := coalesce(last.remainder, 0);
  -- First this, then the sums: whoever settles what has ended takes it out of the one and puts it into the others at once.
  unsettled := coalesce((select min(end_day) from lode.pledge where settled_at is null) <= next_day, false);
  select coalesce(sum(change.started), 0), coalesce(sum(change.ended), 0), coalesce(sum(change.freed), 0)
  into started, ended, freed
  from lode.pledge_change change where change.day = next_day;
  select coalesce(sum(given.amount), 0) into funding from lode.unused_funding given where given.day <= next_day;
end
$lock$;

-- Final funding that is in no day yet. How much it is the books say: 5312 is the number of `dividend:funded` in BTC, and 3 the type
-- that alone credits it. A row that somebody made up is not there.
create view lode.unused_funding as
  select given.tx, given.log_index, given.day, booked.amount
  from lode.dividend_funding given
  join lode.ledger_transaction log
    on log.member = 0 and log.type = 3
      and log.key = (select 'chain:' || chain_id from lode.chain_state) || ':0x' || encode(given.tx, 'hex') || ':' || given.log_index
  join lode.posting booked on booked.member = 0 and booked.account = 5312 and booked.transaction = log.id
  where not exists (
    select from lode.day_funding used where used.tx = given.tx and used.log_index = given.log_index);

-- Keeps a day. Whatever is given is reckoned again; the posting of what it shares out is there by then.
create function lode.close_day(
  of_day int, by_plan int, by_decision bigint, f numeric, x numeric, t numeric, c numeric, z numeric, s numeric, q numeric,
  a numeric, r numeric
) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $close$
declare
  known record;
  got numeric;
begin
  select * into known from lode.lock_next_day();
  if known.next_day is distinct from of_day or known.unsettled then raise exception 'day % is not the one to close', of_day; end if;
  if lode.now() < to_timestamp((of_day + 1) * 86400.0) or not exists (
    select from lode.chain_state
    where posted_hash is not null and posted_number >= booked_number and stopped_reason is null
      and posted_time > to_timestamp((of_day + 1) * 86400.0))
  then
    raise exception 'day % is not over', of_day;
  end if;
  if (f + x = known.funding and z = known.freed and s = known.weight + known.started - known.ended
      and t = case when s > 0 then least(known.carry, f) else 0 end
      and c = known.carry + x - t + case when s > 0 then 0 else f end
      and a = known.per_weight + q
      and case when s > 0 then (f + t) * 1e36::numeric + known.remainder + z = q * s + r and r < s
               else q = 0 and r = known.remainder + z end) is not true then
    raise exception 'day % is reckoned otherwise', of_day;
  end if;
  if s > 0 and f + t > 0 then
    -- The type credits `dividend:payable` alone.
    if (select sum(booked.amount)
        from lode.ledger_transaction posted join lode.posting booked on booked.member = 0 and booked.transaction = posted.id
        where posted.member = 0 and posted.key = 'day:' || of_day || ':dividend' and posted.type = 31 and booked.amount > 0)
       is distinct from f + t then
      raise exception 'day % is not in the books', of_day;
    end if;
  end if;
  -- The watcher waits for nobody here: what it books between the sum and this is not this day's, or it would be in no day's sum.
  with taken as (
    select given.tx, given.log_index, given.amount from lode.unused_funding given where given.day <= of_day
  ),
  kept as (insert into lode.day_funding (tx, log_index, day) select taken.tx, taken.log_index, of_day from taken)
  select coalesce(sum(taken.amount), 0) into got from taken;
  if got <> f + x then raise exception 'day % was funded meanwhile', of_day; end if;
  insert into lode.production_day
    (day, admitted, above, from_carry, carry, freed, weight, quotient, per_weight, remainder, plan_version, decision_id, decision_place)
  values (of_day, f, x, t, c, z, s, q, a, r, by_plan, by_decision, case when by_decision is not null then 2 end);
end
$close$;

-- ---- paying a pledge ---------------------------------------------------------------------------------------------------

-- Rows are always locked by id, and before any account. What counts for each is said after that, so that it is not older than what
-- somebody else has paid meanwhile: A before its first day, and A of the last closed day or of its own last one.
create function lode.lock_pledges(ids uuid[])
  returns table (id uuid, member_id bigint, weight numeric, paid numeric, per_weight_from numeric, per_weight_to numeric)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $lock$
declare
  last_day int;
begin
  perform from lode.pledge where pledge.id = any (ids) order by pledge.id for no key update;
  select max(day) into last_day from lode.production_day;
  return query
    select pledge.id, pledge.member_id, pledge.weight, pledge.paid, lode.per_weight_at(pledge.start_day - 1),
           lode.per_weight_at(pledge.end_day - 1)
    from lode.pledge
    where pledge.id = any (ids) and pledge.settled_at is null and pledge.start_day <= last_day
    order by pledge.id;
end
$lock$;

-- Of one member: those of which something may be due.
create function lode.lock_pledges_of(of_member bigint)
  returns table (id uuid, member_id bigint, weight numeric, paid numeric, per_weight_from numeric, per_weight_to numeric)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $lock$
begin
  return query select * from lode.lock_pledges(array(
    select pledge.id from lode.pledge where pledge.member_id = of_member and pledge.settled_at is null));
end
$lock$;

-- Of all: some whose last day is closed and whose dividend is not settled to the end.
create function lode.lock_ended_pledges(at_most int)
  returns table (id uuid, member_id bigint, weight numeric, paid numeric, per_weight_from numeric, per_weight_to numeric)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $lock$
begin
  return query select * from lode.lock_pledges(array(
    select pledge.id from lode.pledge
    where pledge.settled_at is null and pledge.end_day <= (select max(day) + 1 from lode.production_day)
    order by pledge.end_day, pledge.id limit at_most));
end
$lock$;

-- That these pledges are paid so much by now, all together, by transactions of the books: one for each pledge, or one for several of one
-- member, and none where nothing is new. The caller has posted them. What is said is reckoned again, and what is new of it is what the
-- books pay to whom it belongs. With `for_good` their last day is closed: what they have beyond whole units goes to the others.
create function lode.pay_pledges(ids uuid[], amounts numeric[], transactions bigint[], for_good boolean) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $pay$
declare
  scale constant numeric := 1e36::numeric;
  last_day int;
  changed int;
  due int;
  booked int;
begin
  -- The end of a pledge is the worker's to settle.
  if for_good and session_user = 'lode_api' then raise exception 'these pledges are not entitled to that'; end if;
  -- Whoever comes second reckons with what the first has paid.
  perform from lode.pledge where pledge.id = any (ids) order by pledge.id for no key update;
  select max(day) into last_day from lode.production_day;
  with said as (select * from unnest(ids, amounts, transactions) as given (id, amount, transaction)),
  reckoned as (
    select pledge.id, pledge.end_day, said.amount, said.amount - pledge.paid as fresh, said.transaction,
           pledge.weight * (lode.per_weight_at(pledge.end_day - 1) - lode.per_weight_at(pledge.start_day - 1)) as scaled
    from said join lode.pledge on pledge.id = said.id
    where pledge.settled_at is null and pledge.paid <= said.amount
      and (not for_good or pledge.end_day <= last_day + 1)
  ),
  paid as (
    update lode.pledge
    set paid = reckoned.amount, settled_at = case when for_good then lode.now() end
    from reckoned
    -- A day may have closed since: then it is less than what is due now, and the rest comes with the next.
    where pledge.id = reckoned.id
      and case when for_good then reckoned.amount = div(reckoned.scaled, scale)
               else reckoned.amount <= div(reckoned.scaled, scale) end
    returning pledge.member_id, reckoned.end_day, reckoned.transaction, reckoned.fresh, mod(reckoned.scaled, scale) as freed
  ),
  freeing as (
    insert into lode.pledge_change (day, stripe, freed)
    select paid.end_day, 16, sum(paid.freed) from paid where for_good group by paid.end_day order by paid.end_day
    on conflict (day, stripe) do update set freed = pledge_change.freed + excluded.freed
  ),
  payment as (
    select paid.transaction, paid.member_id, sum(paid.fresh) as amount from paid where paid.fresh > 0
    group by paid.transaction, paid.member_id
  ),
  noted as (
    insert into lode.share_payment (transaction)
    select payment.transaction
    from payment
    join lode.ledger_transaction posted on posted.id = payment.transaction and posted.type = case when for_good then 40 else 32 end
    -- Both types credit one member's balance alone.
    where payment.amount = (
      select sum(posting.amount) from lode.posting
      where posting.member = payment.member_id and posting.transaction = payment.transaction)
    returning share_payment.transaction
  )
  select (select count(*) from paid), (select count(*) from payment), (select count(*) from noted) into changed, due, booked;
  if changed <> cardinality(ids) then raise exception 'these pledges are not entitled to that'; end if;
  if booked <> due then raise exception 'what these pledges are paid is not in the books'; end if;
end
$pay$;

-- When all of a transaction is written, whatever the books pay out of what was shared out is noted as somebody's part of it: nobody
-- who may post that can give away what others have not collected yet.
create function lode.share_is_due() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $due$
begin
  perform from lode.share_payment where transaction = new.id;
  if not found then
    raise exception 'ledger: nobody is due what % pays', new.key using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$due$;

-- Gives back the BTN of some pledges whose term is over, by the clock and by nothing else. The caller posts it in the same transaction.
create function lode.return_pledges(at_most int) returns table (id uuid, member_id bigint, amount numeric)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $return$
declare
  ids uuid[] := array(
    select pledge.id from lode.pledge
    where pledge.returned_at is null and pledge.end_day <= lode.day_of(lode.now())
    order by pledge.end_day, pledge.id limit at_most);
begin
  perform from lode.pledge where pledge.id = any (ids) order by pledge.id for no key update;
  return query
    update lode.pledge set returned_at = lode.now()
    where pledge.id = any (ids) and pledge.returned_at is null
    returning pledge.id, pledge.member_id, pledge.amount;
end
$return$;

-- ---- what each process may do ------------------------------------------------------------------------------------------

revoke execute on function
  lode.per_weight_at, lode.day_of, lode.keep_days_open, lode.settle_pledge, lode.lock_next_day, lode.close_day,
  lode.lock_pledges, lode.lock_pledges_of, lode.lock_ended_pledges, lode.pay_pledges, lode.return_pledges,
  lode.share_is_due
  from public;
grant execute on function lode.lock_pledges_of to lode_api;
grant execute on function lode.per_weight_at, lode.day_of, lode.keep_days_open, lode.settle_pledge, lode.pay_pledges
  to lode_api, lode_worker;
grant execute on function lode.lock_next_day, lode.close_day, lode.lock_ended_pledges, lode.return_pledges to lode_worker;
grant select on lode.production_day, lode.day_funding, lode.unused_funding, lode.pledge, lode.pledge_change to lode_api, lode_worker;
-- What operators look at before they approve a day.
grant select on lode.production_day, lode.day_funding, lode.unused_funding to lode_operator;
grant execute on function lode.day_of to lode_operator;
grant execute on function lode.share_is_due to lode_ledger;

reset role;

-- 32 is the dividend that a member collects, 40 what is left of it at the end of a pledge, 35 what a partner collects.
set local role lode_ledger;
create constraint trigger share_is_due after insert on lode.ledger_transaction
  deferrable initially deferred
  for each row when (new.type in (32, 35, 40)) execute function lode.share_is_due();
alter table lode.ledger_transaction enable always trigger share_is_due;
reset role;

revoke create on schema lode from lode_orders;
grant select on lode.plan, lode.dividend_funding to lode_operator;
grant execute on function lode.plan_in_force to lode_operator;
