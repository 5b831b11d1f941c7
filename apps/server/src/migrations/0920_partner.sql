-- Sharing experts and partners: members whom two operators appoint. docs/partners.md explains it.
--
-- The worker carries out what was decided, by functions that take everything from the decision itself: it can choose nobody and no
-- amount, and nothing without two signatures. An airdrop for it is in the books only beside the record that says so.

grant create on schema lode to lode_orders, lode_payout;
grant select, references on lode.decision, lode.decision_signature to lode_orders;
grant select on lode.plan to lode_orders, lode_operator;

set local role lode_team;
grant select on lode.team_place to lode_orders;
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

-- ---- what each process may do ------------------------------------------------------------------------------------------

grant select on lode.partner_application, lode.partner to lode_api, lode_worker, lode_operator;
grant select on lode.sharing_expert to lode_operator;

reset role;

revoke create on schema lode from lode_orders, lode_payout;
