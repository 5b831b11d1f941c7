-- Money that leaves: what is to be paid out, and the transactions that do it. docs/money-out.md draws it.
--
-- A payout is a row of facts; where it stands follows from them, from the member's protections, from the operators' decisions
-- and from the time. The api and the worker write these tables only by functions, which can take a payout back or end it, and
-- never make one to an address of somebody's choosing. The signer believes none of it without checking.

grant create on schema lode to lode_payout;
grant select (id, account, level, disabled_at), references (id) on lode.member to lode_payout;
grant select on lode.chain_block, lode.chain_state to lode_payout;
grant references (number) on lode.chain_block to lode_payout;
grant references on lode.decision, lode.decision_signature to lode_payout;

set local role lode_payout;

-- One transaction of the payer's, of which there may be several signed forms that differ in the fee alone.
create table lode.release (
  number bigint generated always as identity primary key,
  kind text not null check (kind in ('payouts', 'burn')),
  payer bytea not null check (octet_length(payer) = 20),
  nonce bigint not null check (nonce >= 0),
  -- What is called and with how much gas: the same in every form.
  call bytea not null,
  gas bigint not null,
  made_at timestamptz not null default lode.now(),
  -- When a node first took one of its forms.
  broadcast_at timestamptz,
  -- When the books had passed a block in which its nonce is spent: whatever came of it is posted.
  ended_at timestamptz,
  -- Of a burn: how much.
  burned numeric check (burned > 0),
  check ((kind = 'burn') = (burned is not null)),
  unique (payer, nonce)
);

create index release_open on lode.release (number) where ended_at is null;
create index release_by_time on lode.release (made_at);
create index release_of_burns on lode.release (made_at) where kind = 'burn';

create table lode.release_form (
  release_number bigint not null references lode.release,
  attempt smallint not null check (attempt > 0),
  hash bytea not null unique check (octet_length(hash) = 32),
  -- Signed, as it is sent. Stored before it is sent.
  raw bytea not null,
  max_fee numeric not null check (max_fee > 0),
  max_priority_fee numeric not null check (max_priority_fee >= 0),
  signed_at timestamptz not null default lode.now(),
  primary key (release_number, attempt)
);

create sequence lode.payout_number;

-- The id is random and is also the id on the chain, which the vault takes once for ever: a number from a sequence could come
-- again from a restored backup, and its payout would be refused as repeated.
create table lode.payout (
  id uuid primary key,
  -- In the order in which they were asked for.
  number bigint not null unique default nextval('lode.payout_number'),
  kind text not null check (kind in ('transfer', 'treasury', 'suspense')),
  asset text not null check (asset in ('USDT', 'BTN', 'BTC')),
  -- What arrives.
  amount numeric not null check (amount > 0 and scale(amount) = 0),
  address bytea not null check (octet_length(address) = 20),
  requested_at timestamptz not null default lode.now(),

  -- A member's transfer: what it was asked with.
  member_id bigint references lode.member,
  fee numeric not null default 0 check (fee >= 0 and scale(fee) = 0),
  -- The part of the fee that is burned; the rest is for operations.
  fee_burned numeric not null default 0 check (fee_burned between 0 and fee and scale(fee_burned) = 0),
  plan_version int,
  level smallint,
  -- When the address became bound, and the browser was first seen; null: the own wallet, the browser of registration.
  address_bound_at timestamptz,
  device_seen_at timestamptz,

  -- The operators' payments: which account of the books they come from, and what they decided.
  paid_from text,
  purpose text,
  decision_id bigint references lode.decision,
  -- The second signature, by another key: without it there is no such row.
  decision_place smallint check (decision_place = 2),

  -- The release that it is in. A step back takes it out again.
  release_number bigint references lode.release,
  -- When the signer looks at it next; what it found wrong with it; what it waits for.
  look_at timestamptz not null default lode.now(),
  held_check text check (length(held_check) <= 200),
  waits_for text check (waits_for in ('cap', 'float', 'chain')),
  -- How often its token would not make it.
  token_failures smallint not null default 0,

  ended text check (ended in ('final', 'rejected', 'cancelled', 'reverted')),
  ended_at timestamptz,
  -- The log that paid it.
  paid_tx bytea check (octet_length(paid_tx) = 32),
  paid_log_index int,
  paid_at timestamptz,

  foreign key (decision_id, decision_place) references lode.decision_signature (decision_id, place),
  check ((ended is null) = (ended_at is null)),
  check ((ended = 'final') = (paid_tx is not null) or ended is null and paid_tx is null),
  check (num_nulls(paid_tx, paid_log_index, paid_at) in (0, 3)),
  check (ended is null or ended = 'final' or release_number is null),
  check ((kind = 'transfer') = (member_id is not null)),
  check ((kind = 'transfer') = (plan_version is not null)),
  check ((kind = 'transfer') = (level is not null)),
  check ((kind = 'transfer') = (decision_id is null)),
  check ((decision_id is null) = (decision_place is null)),
  check ((kind = 'transfer') = (paid_from is null))
) with (fillfactor = 80);

create index payout_to_look_at on lode.payout (look_at) where ended is null and release_number is null;
create index payout_open on lode.payout (release_number) where ended is null;
create index payout_by_release on lode.payout (release_number) where release_number is not null;
create index payout_by_member on lode.payout (member_id, number) where member_id is not null;
-- What is still open of a member's: the signer adds it up against what is frozen.
create index payout_open_by_member on lode.payout (member_id, asset) where ended is null and member_id is not null;
-- And of the operators': against what is put aside for it.
create index payout_open_of_operators on lode.payout (kind, asset) where ended is null and kind in ('treasury', 'suspense');

-- Payouts that were seen in blocks which are not final; a block that is taken back takes them with it.
create table lode.chain_outgoing (
  block_number bigint not null references lode.chain_block on delete cascade,
  log_index int not null,
  payout_id uuid not null,
  tx bytea not null check (octet_length(tx) = 32),
  primary key (block_number, log_index)
);
create index chain_outgoing_by_payout on lode.chain_outgoing (payout_id);

-- What the vault would not pay, as it said in blocks that are final: each counts once, however often it is read.
create table lode.payout_skip (
  tx bytea not null check (octet_length(tx) = 32),
  log_index int not null,
  payout_id uuid not null references lode.payout,
  reason text not null check (reason in ('cap', 'balance', 'token')),
  at timestamptz not null default lode.now(),
  primary key (tx, log_index)
);

-- ---- what each process may do ------------------------------------------------------------------------------------------

grant select on lode.payout, lode.release, lode.chain_outgoing, lode.payout_skip to lode_api, lode_worker, lode_signer;
grant select on lode.release_form to lode_signer;
grant select (release_number, attempt, hash, max_fee, signed_at) on lode.release_form to lode_api, lode_worker;
grant insert, delete on lode.chain_outgoing to lode_worker;
-- The signer's part of it; it holds the key, so what it writes here is the least that it could do.
grant insert (kind, payer, nonce, call, gas, burned), update (broadcast_at) on lode.release to lode_signer;
grant insert on lode.release_form to lode_signer;
grant update (release_number, look_at, held_check, waits_for) on lode.payout to lode_signer;

reset role;
revoke create on schema lode from lode_payout;
