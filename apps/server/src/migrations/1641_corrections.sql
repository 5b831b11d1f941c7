-- Stops of one asset, and the corrections that end them. docs/money-in.md, "When it stops", explains both.

-- The chain contradicts the ledger in one asset. Later logs of this asset are posted once the stop has ended; the other
-- assets go on.
create table lode.asset_stop (
  asset text primary key check (asset in ('USDT', 'BTN', 'BTC')),
  reason text not null check (length(reason) between 1 and 500),
  stopped_at timestamptz not null default lode.now(),
  -- The last block of which all logs of this asset are posted.
  held_after bigint not null check (held_after >= 0),
  -- What left custody, and from where; null if the stop is not about money that left. Two operators can write off
  -- exactly this. `arrived`: what cold storage received of a move that arrived in part.
  amount numeric check (amount > 0 and amount = trunc(amount)),
  place text check (place in ('vault', 'cold')),
  arrived numeric check (arrived >= 0 and arrived = trunc(arrived)),
  -- The log of that money, or the block at which a balance had fallen without a log.
  tx bytea check (octet_length(tx) = 32),
  log_index int,
  block_number bigint,
  check ((amount is null) = (place is null) and (amount is null) = (arrived is null)),
  check ((tx is null) = (log_index is null)),
  check (amount is null or (tx is null) = (block_number is not null))
);

grant select on lode.asset_stop to lode_api, lode_worker, lode_signer, lode_operator, lode_orders, lode_payout;

grant select on lode.chain_state to lode_payout;

grant create on schema lode to lode_payout;
set local role lode_payout;

-- What two operators decided about money that is missing. Each row explains one ledger transaction, by its key.
create table lode.correction (
  id uuid primary key,
  number bigint generated always as identity unique,
  kind text not null check (kind in ('write-off', 'fund')),
  decision_id bigint not null unique references lode.decision,
  decision_place smallint not null default 2 check (decision_place = 2),
  asset text not null check (asset in ('USDT', 'BTN', 'BTC')),
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  -- The key of the ledger transaction. So a log, or a balance that fell at a block, is answered once.
  key text collate "C" not null unique,
  -- As in asset_stop; null unless it is a write-off.
  place text check (place in ('vault', 'cold')),
  arrived numeric check (arrived >= 0),
  tx bytea,
  log_index int,
  block_number bigint,
  purpose text not null,
  decided_at timestamptz not null default lode.now(),
  foreign key (decision_id, decision_place) references lode.decision_signature (decision_id, place),
  check ((kind = 'write-off') = (place is not null) and (kind = 'write-off') = (arrived is not null)),
  unique (tx, log_index)
);

select lode.keep_as_written('lode.correction');
grant select on lode.correction to lode_api, lode_worker, lode_signer, lode_operator, lode_ledger;

-- A payout can also wait because something of its asset is missing.
alter table lode.payout drop constraint payout_waits_for_check;
alter table lode.payout add constraint payout_waits_for_check check (waits_for in ('cap', 'float', 'chain', 'missing'));

reset role;
revoke create on schema lode from lode_payout;
