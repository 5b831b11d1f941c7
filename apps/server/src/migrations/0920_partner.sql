-- Sharing experts and partners: members whom two operators appoint. docs/partners.md explains it.
--
-- The worker carries out what was decided, by functions that take everything from the decision itself: it can choose nobody and no
-- amount, and nothing without two signatures. An airdrop for it is in the books only beside the record that says so.

grant create on schema lode to lode_orders, lode_payout;
grant select, references on lode.decision, lode.decision_signature to lode_orders;
grant select on lode.plan to lode_orders, lode_operator;
grant execute on function lode.plan_in_force to lode_orders, lode_operator;

set local role lode_team;
grant select on lode.team_place to lode_orders;
grant execute on function lode.lock_places to lode_orders;
reset role;

set local role lode_ledger;
grant select (id) on lode.ledger_transaction to lode_orders;
grant select (id, balance) on lode.ledger_account to lode_orders;
grant select (member, transaction, amount) on lode.posting to lode_orders;
reset role;

-- What the pool paid from its own accounts, newest first, among millions of members' transfers.
set local role lode_payout;
create index payout_of_treasury on lode.payout (number) where kind = 'treasury';
reset role;

set local role lode_orders;

alter table lode.sharing_expert
  add column decision_id bigint not null unique,
  add column decision_place smallint not null default 2 check (decision_place = 2),
  -- What it was given for it, by the plan that was in force at the second signature, and whether the reserve could pay it.
  add column plan_version int not null,
  add column airdrop numeric not null check (airdrop >= 0 and airdrop = trunc(airdrop)),
  add column airdrop_paid boolean,
  add check ((airdrop = 0) = (airdrop_paid is null)),
  add foreign key (decision_id, decision_place) references lode.decision_signature (decision_id, place);

create table lode.partner_application (
  id bigint primary key generated always as identity,
  member_id bigint not null references lode.member,
  applied_at timestamptz not null default lode.now(),
  decision_id bigint unique,
  decision_place smallint check (decision_place = 2),
  decided_at timestamptz,
  -- Why it was rejected.
  note text,
  foreign key (decision_id, decision_place) references lode.decision_signature (decision_id, place),
  check (num_nulls(decision_id, decision_place, decided_at) in (0, 3)),
  check (note is null or decision_id is not null)
);
-- One waits at a time.
create unique index partner_application_waiting on lode.partner_application (member_id) where decision_id is null;
create index partner_application_by_member on lode.partner_application (member_id, id);

create table lode.partner (
  member_id bigint primary key references lode.member,
  application_id bigint not null unique references lode.partner_application,
  -- The UTC day on which it became one: it shares in what is closed for the days after.
  approved_day int not null,
  plan_version int not null,
  airdrop numeric not null check (airdrop >= 0 and airdrop = trunc(airdrop)),
  airdrop_paid boolean,
  check ((airdrop = 0) = (airdrop_paid is null))
);
create index partner_by_day on lode.partner (approved_day);

-- What two operators signed, and when the second of them did; an error where they did not. Whether the signatures are right the
-- database cannot tell: the worker has verified them.
create function lode.signed_by_two(of_decision bigint, of_verb text, out body jsonb, out signed_at timestamptz, out expired boolean)
language plpgsql
set search_path = pg_catalog, pg_temp
as $signed$
begin
  select decision.body::jsonb, second.at, decision.expires_at <= lode.now() into body, signed_at, expired
  from lode.decision join lode.decision_signature as second on second.decision_id = decision.id and second.place = 2
  where decision.id = of_decision and decision.verb = of_verb and decision.body::jsonb ->> 'verb' = of_verb
    and decision.body::jsonb ->> 'subject' = decision.subject;
  if not found then raise exception 'two operators have not signed % as decision %', of_verb, of_decision; end if;
end
$signed$;

-- Whether the airdrop is in the books; null where there is none to be paid. It is paid whole, or not at all and only where the
-- reserve could not: whoever posted has locked it.
create function lode.airdrop_in_books(of_member bigint, of_key text, of_type int, of_amount numeric) returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $airdrop$
declare
  posted numeric;
begin
  if of_amount = 0 then return null; end if;
  select sum(posting.amount) into posted
  from lode.ledger_transaction as entry
  join lode.posting on posting.transaction = entry.id and posting.member = of_member
  where entry.member = of_member and entry.key = of_key and entry.type = of_type;
  if posted is not null then
    if posted <> of_amount then raise exception 'an airdrop of % was decided, and % is in the books', of_amount, posted; end if;
    return true;
  end if;
  -- 4224 is reserve:airdrop in BTN.
  if (select balance from lode.ledger_account where id = 4224) >= of_amount then
    raise exception 'the reserve can pay the airdrop of %', of_amount;
  end if;
  return false;
end
$airdrop$;

-- The member that an address is of, by a decision's body.
create function lode.member_named(body jsonb) returns bigint
language sql stable
set search_path = pg_catalog, pg_temp
as $named$ select id from lode.member where account = decode(substr(body ->> 'address', 3), 'hex') $named$;

-- Each of the three answers `ok`, `done` where that very decision was carried out before, or why it cannot be. The caller holds the
-- member's place and has posted the airdrop, in the same transaction.
create function lode.authorise_expert(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $authorise$
declare
  decided record;
  chosen bigint;
  present bigint;
  given numeric;
begin
  decided := lode.signed_by_two(of_decision, 'authorise-expert');
  chosen := lode.member_named(decided.body);
  if chosen is null then return 'unknown'; end if;
  select decision_id into present from lode.sharing_expert where member_id = chosen;
  if present = of_decision then return 'done'; end if;
  if present is not null then return 'already'; end if;
  if decided.expired then return 'expired'; end if;
  if lode.plan_in_force(decided.signed_at) is distinct from (decided.body ->> 'planVersion')::int then return 'plan'; end if;
  given := (decided.body ->> 'airdrop')::numeric;
  insert into lode.sharing_expert (member_id, decision_id, plan_version, airdrop, airdrop_paid)
  values (chosen, of_decision, (decided.body ->> 'planVersion')::int, given,
          lode.airdrop_in_books(chosen, 'appointed:expert', 38, given));
  return 'ok';
end
$authorise$;

-- All 363 places of the five layers are taken.
create function lode.has_full_layers(place lode.team_place) returns boolean
language sql immutable
set search_path = pg_catalog, pg_temp
as $full$ select sum(headcount) = 363 from unnest(place.headcounts) as headcount $full$;

create function lode.apply_for_partner(of_member bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $apply$
declare
  place lode.team_place;
begin
  perform lode.lock_places(array[of_member]);
  if not exists (select from lode.member where id = of_member and disabled_at is null) then return 'account-disabled'; end if;
  if exists (select from lode.partner where member_id = of_member) then return 'partner-approved'; end if;
  if exists (select from lode.partner_application where member_id = of_member and decision_id is null) then
    return 'partner-applied';
  end if;
  select * into place from lode.team_place where member_id = of_member;
  if not place.activated then return 'partner-not-activated'; end if;
  if not lode.has_full_layers(place) then return 'partner-layers-open'; end if;
  insert into lode.partner_application (member_id) values (of_member);
  return 'ok';
end
$apply$;

-- The application that a decision is about, where it is the member's that the decision names.
create function lode.application_named(body jsonb) returns lode.partner_application
language sql volatile
set search_path = pg_catalog, pg_temp
as $named$
  select * from lode.partner_application
  where body ->> 'subject' = 'partner:' || id and id = substr(body ->> 'subject', 9)::bigint
    and member_id = lode.member_named(body)
  for no key update
$named$;

create function lode.approve_partner(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $approve$
declare
  decided record;
  present lode.partner_application;
  place lode.team_place;
  given numeric;
begin
  decided := lode.signed_by_two(of_decision, 'approve-partner');
  present := lode.application_named(decided.body);
  if present.id is null then return 'unknown'; end if;
  if present.decision_id = of_decision then return 'done'; end if;
  if present.decision_id is not null then return 'already'; end if;
  if decided.expired then return 'expired'; end if;
  if lode.plan_in_force(decided.signed_at) is distinct from (decided.body ->> 'planVersion')::int then return 'plan'; end if;
  select * into place from lode.team_place where member_id = present.member_id;
  if not (place.activated and lode.has_full_layers(place)) then return 'missing'; end if;
  given := (decided.body ->> 'airdrop')::numeric;
  update lode.partner_application set decision_id = of_decision, decision_place = 2, decided_at = lode.now()
  where id = present.id;
  insert into lode.partner (member_id, application_id, approved_day, plan_version, airdrop, airdrop_paid)
  values (present.member_id, present.id, floor(extract(epoch from lode.now()) / 86400),
          (decided.body ->> 'planVersion')::int, given,
          lode.airdrop_in_books(present.member_id, 'appointed:partner', 39, given));
  return 'ok';
end
$approve$;

create function lode.reject_partner(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $reject$
declare
  decided record;
  present lode.partner_application;
begin
  decided := lode.signed_by_two(of_decision, 'reject-partner');
  present := lode.application_named(decided.body);
  if present.id is null then return 'unknown'; end if;
  if present.decision_id = of_decision then return 'done'; end if;
  if present.decision_id is not null then return 'already'; end if;
  if decided.expired then return 'expired'; end if;
  update lode.partner_application
  set decision_id = of_decision, decision_place = 2, decided_at = lode.now(), note = decided.body ->> 'note'
  where id = present.id;
  return 'ok';
end
$reject$;

-- When all of a transaction is written, an airdrop is there beside its record, or not at all: nobody who may post it
-- can give one away by itself.
create function lode.airdrop_is_decided() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $decided$
begin
  if new.type in (36, 37) then
    perform from lode.pay_order
    where member_id = new.member and type = 1 and airdrop_paid and new.key = 'order:' || id || ':airdrop';
  elsif new.type = 38 then
    perform from lode.sharing_expert where member_id = new.member and airdrop_paid and new.key = 'appointed:expert';
  else
    perform from lode.partner where member_id = new.member and airdrop_paid and new.key = 'appointed:partner';
  end if;
  if not found then
    raise exception 'ledger: nobody decided on the airdrop % of member %', new.key, new.member using errcode = 'insufficient_privilege';
  end if;
  return null;
end
$decided$;

-- ---- what each process may do ------------------------------------------------------------------------------------------

revoke execute on function
  lode.signed_by_two, lode.airdrop_in_books, lode.member_named, lode.authorise_expert, lode.has_full_layers,
  lode.apply_for_partner, lode.application_named, lode.approve_partner, lode.reject_partner, lode.airdrop_is_decided
  from public;
grant execute on function lode.apply_for_partner to lode_api;
grant execute on function lode.authorise_expert, lode.approve_partner, lode.reject_partner to lode_worker;
grant select on lode.partner_application, lode.partner to lode_api, lode_worker, lode_operator;
grant select on lode.sharing_expert to lode_operator;
grant execute on function lode.airdrop_is_decided to lode_ledger;

reset role;

set local role lode_ledger;
create constraint trigger airdrop_is_decided after insert on lode.ledger_transaction
  deferrable initially deferred
  for each row when (new.type in (36, 37, 38, 39)) execute function lode.airdrop_is_decided();
alter table lode.ledger_transaction enable always trigger airdrop_is_decided;
reset role;

revoke create on schema lode from lode_orders, lode_payout;
