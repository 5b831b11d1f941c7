-- Postings whose cause is false, and how two operators undo them. docs/ledger.md, "Undoing a false posting", explains it.

grant create on schema lode to lode_payout;
set local role lode_payout;

-- A ledger transaction names this chain log, and the signer's nodes of two origins do not have it at a final block. Only
-- the signer writes here. The row goes away if the nodes have the log after all.
create table lode.missing_log (
  key text collate "C" primary key,
  found_at timestamptz not null default lode.now()
);

grant select on lode.missing_log to lode_worker, lode_operator, lode_ledger;
grant select, insert (key), delete on lode.missing_log to lode_signer;

-- A posting that two operators decided to undo. The member is told, and it is undone 72 hours later, if its cause is
-- false then, too.
create table lode.reversal (
  decision_id bigint primary key references lode.decision,
  -- The ledger transaction to undo.
  transaction bigint not null,
  -- The member from whose balance it is taken; null if no member is touched.
  member_id bigint,
  asset text not null check (asset in ('USDT', 'BTN', 'BTC')),
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  note text not null,
  announced_at timestamptz not null default lode.now(),
  due_at timestamptz not null default lode.now() + interval '72 hours',
  ended text check (ended in ('posted', 'caused')),
  ended_at timestamptz,
  check (due_at >= announced_at + interval '72 hours'),
  check ((ended is null) = (ended_at is null))
);

-- A posting is undone once. A decision that lapsed, because the cause was found, can be made again.
create unique index on lode.reversal (transaction) where ended is distinct from 'caused';

grant select on lode.reversal to lode_api, lode_worker, lode_signer, lode_operator, lode_ledger;

alter table lode.correction drop constraint correction_kind_check;
alter table lode.correction add constraint correction_kind_check check (kind in ('write-off', 'fund', 'reverse'));
-- The ledger transaction that is undone; null unless it is a reversal.
alter table lode.correction add column answers bigint unique;
alter table lode.correction add check ((kind = 'reverse') = (answers is not null));

reset role;
revoke create on schema lode from lode_payout;

-- A notice to one member: a posting of this member will be undone.
alter table lode.notice add column member_id bigint references lode.member;
alter table lode.notice add column reversal_id bigint unique references lode.reversal;
alter table lode.notice drop constraint notice_check;
alter table lode.notice add constraint notice_check
  check (num_nonnulls(words, plan_version, reversal_id) = 1 and (member_id is null) = (reversal_id is null));
