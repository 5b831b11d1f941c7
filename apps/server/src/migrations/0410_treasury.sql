-- What becomes of the operators' decisions: payments from the pool's own accounts, returns of what nobody registered
-- for. The worker carries them out by the functions of modules/treasury/functions, which take everything from the
-- decision itself: it can choose no address and no amount, and nothing without two signatures.

grant create on schema lode to lode_payout;
grant references on lode.decision to lode_payout;

-- By which the worker knows whether a transfer that they reject is under review.
grant select (disabled_at) on lode.member to lode_worker;
set local role lode_protection;
grant select (member_id, changed_at, reset_ends_at, reset_done_at, transfers_locked_until) on lode.protection to lode_worker;
reset role;

-- Where the pool's own money may go, once 48 hours have passed. Such an address is never a member's.
create table lode.treasury_address (
  decision_id bigint primary key references lode.decision,
  decision_place smallint not null default 2 check (decision_place = 2),
  address bytea not null check (octet_length(address) = 20),
  foreign key (decision_id, decision_place) references lode.decision_signature (decision_id, place)
);
create index treasury_address_by_address on lode.treasury_address (address);
grant select on lode.treasury_address to lode_api, lode_worker, lode_signer, lode_payout;

set local role lode_payout;

-- What came of a decision that is carried out once. Null reason: it was done.
create table lode.decision_outcome (
  decision_id bigint primary key references lode.decision,
  reason text check (length(reason) between 1 and 300),
  at timestamptz not null default lode.now()
);

grant select on lode.decision_outcome to lode_api, lode_worker, lode_signer;

reset role;
revoke create on schema lode from lode_payout;
