-- The trail of operators who looked at a member: who, when, whom and why. A line must be committed before the function
-- look_up_member answers, so nobody with the role `lode_operator` can look without leaving one.
create table lode.member_look (
  id bigint generated always as identity primary key,
  at timestamptz not null default lode.now(),
  account bytea not null check (octet_length(account) = 20),
  operator bytea not null check (octet_length(operator) = 32),
  note text not null check (length(note) between 1 and 500),
  -- What the operator signed. `lode audit` verifies it.
  body text not null check (length(body) <= 2000),
  signature bytea not null check (octet_length(signature) = 64),
  -- The database transaction that wrote the line.
  made_by xid8 not null default pg_current_xact_id()
);
select lode.keep_as_written('lode.member_look');
create index member_look_by_account on lode.member_look (account, id);
