-- Decisions that are carried out by the worker: ending a stop, reading blocks again, disabling and enabling a member,
-- ending sessions, proving again, publishing a plan or a notice. docs/operators.md explains who signs what.

-- A text that is too long for a decision. The decision has its hash, so the signatures cover it too.
create table lode.signed_text (
  hash bytea not null generated always as (lode.text_hash(body)) stored primary key,
  body text not null check (length(body) between 1 and 100000),
  at timestamptz not null default lode.now()
);
select lode.keep_as_written('lode.signed_text');
grant select on lode.signed_text to lode_worker;
grant select, insert (body) on lode.signed_text to lode_operator;

-- The decision that disabled the member. It has the reason that the member reads.
alter table lode.member add column disabled_by bigint references lode.decision;
alter table lode.member add check (disabled_by is null or disabled_at is not null);

-- Each notice that operators wrote names their decision.
alter table lode.notice add column decision_id bigint unique references lode.decision;
alter table lode.notice add check (decision_id is null or words is not null);

-- How many accounts the signer has proven, for `lode proof again`.
grant select on lode.proof to lode_operator;
