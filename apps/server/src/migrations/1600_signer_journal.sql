-- The signer keeps a journal of what it sends in a file outside the database. If the database lacks a release of the
-- journal, it went back in time, and the signer stops. A row here ends that: the lost releases up to this line of the
-- journal, and everything on the chain up to this block, were compared with the database. docs/money-out.md explains it.

grant create on schema lode to lode_payout;
set local role lode_payout;

create table lode.restore_acknowledged (
  at timestamptz not null default lode.now(),
  -- How many lines of the journal count, its first line included. 0: there was no journal.
  journal_lines bigint not null check (journal_lines >= 0),
  -- The SHA-256 of these lines. So the row counts for this journal only.
  journal_hash bytea not null check (octet_length(journal_hash) = 32),
  chain_block bigint not null check (chain_block >= 0)
);
create index restore_acknowledged_by_time on lode.restore_acknowledged (at);

select lode.keep_as_written('lode.restore_acknowledged');

grant select on lode.restore_acknowledged to lode_signer, lode_operator;

reset role;
revoke create on schema lode from lode_payout;
