-- The database was restored to an earlier moment while the chain went on. `lode restored` compares it with the signer's
-- journal and with the chain, and writes these rows as the owner. The worker carries them out while it reads the chain
-- again. docs/operations.md, "Backup and restore".

grant create on schema lode to lode_payout;
grant insert on lode.decision, lode.decision_signature to lode_payout;

set local role lode_payout;

-- One run of `lode restored` that changed something.
create table lode.restore (
  number int generated always as identity primary key,
  at timestamptz not null default lode.now(),
  -- The last thing that a member did, as this database knows it: nothing that members did later is known.
  restored_to timestamptz not null,
  -- Of the journal that was compared; 0 lines without a journal.
  journal_lines int not null check (journal_lines >= 0),
  journal_hash bytea not null check (octet_length(journal_hash) = 32),
  -- The last block that two nodes had as final.
  chain_block bigint not null check (chain_block >= 0)
);

-- A payout that the journal has and the database lost. restore_payout() makes it again once the vault's log of its
-- payment is read. If it was never paid, it stays lost, and its money is where it was.
create table lode.lost_payout (
  id uuid primary key,
  kind text not null check (kind in ('transfer', 'treasury', 'suspense')),
  asset text not null check (asset in ('USDT', 'BTN', 'BTC')),
  amount numeric not null check (amount > 0 and scale(amount) = 0),
  address bytea not null check (octet_length(address) = 20),
  requested_at timestamptz not null,
  -- Of a member's transfer. The wallet names the member: a number could belong to somebody else by now.
  account bytea check (octet_length(account) = 20),
  fee numeric not null default 0 check (fee >= 0 and scale(fee) = 0),
  fee_burned numeric not null default 0 check (fee_burned between 0 and fee and scale(fee_burned) = 0),
  plan_version int,
  level smallint,
  address_bound_at timestamptz,
  device_seen_at timestamptz,
  -- Of a payment by operators: the text that they signed, and their signatures.
  decision text,
  decision_at timestamptz,
  operators bytea[],
  signatures bytea[],
  signed_at timestamptz[],
  restored_at timestamptz,
  check (kind <> 'transfer' or num_nulls(account, plan_version, level) = 0),
  check (kind = 'transfer' or num_nulls(decision, decision_at, operators, signatures, signed_at) = 0)
);

-- A transfer that was open at the moment to which the database was restored. Its member may have canceled it later, so
-- the worker gives the money back, and the member asks again.
create table lode.returned_transfer (
  payout_id uuid primary key references lode.payout
);

-- A transfer whose member is lost with it is restored as returned suspense, about which nobody has decided. Only
-- restore_payout() makes such a row.
do $$
declare
  constraint_name text;
begin
  select conname into strict constraint_name from pg_constraint
  where conrelid = 'lode.payout'::regclass
    and pg_get_constraintdef(oid) = 'CHECK (((kind = ''transfer''::text) = (decision_id IS NULL)))';
  execute format('alter table lode.payout drop constraint %I', constraint_name);
end
$$;
alter table lode.payout add constraint decided_unless_requested check (
  case kind when 'transfer' then decision_id is null when 'treasury' then decision_id is not null else true end);

grant select on lode.restore to lode_operator, lode_signer;
grant select on lode.lost_payout, lode.returned_transfer to lode_worker;

reset role;
revoke create on schema lode from lode_payout;
