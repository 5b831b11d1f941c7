-- What the worker reports about itself every few seconds, in one row that only it writes. The other processes and the
-- command line read it, so that a dead worker is seen everywhere.
create table lode.worker_state (
  only_row boolean primary key default true check (only_row),
  seen_at timestamptz not null,
  -- Why money that comes in is not credited; null if nothing is wrong.
  trouble text check (length(trouble) <= 2000),
  -- The last final block that the nodes report.
  final_block bigint,
  -- The nodes, each with its name and the text of its last failure, or null if it answered last.
  nodes jsonb not null default '[]',
  failing_jobs text[] not null default '{}'
) with (fillfactor = 60);

grant select on lode.worker_state to lode_api, lode_signer, lode_operator;
grant select, insert, update on lode.worker_state to lode_worker;

-- When `lode audit` ran, and what it found. The owner writes it; the worker measures its age.
create table lode.audit_run (
  id bigint generated always as identity primary key,
  at timestamptz not null default lode.now(),
  findings int not null check (findings >= 0),
  -- Whether the ledger was compared with the chain, too.
  with_chain boolean not null
);
select lode.keep_as_written('lode.audit_run');
grant select on lode.audit_run to lode_api, lode_worker, lode_operator;
