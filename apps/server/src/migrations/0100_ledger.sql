-- The ledger. Only lode.post and its short form lode.post_plain write it; they are in modules/ledger/functions.
-- docs/ledger.md draws it.

-- A role that nobody can log in as owns all of it. The function runs as that role; every other role may only read.
do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'lode_ledger') then
    begin
      create role lode_ledger nologin nosuperuser nocreatedb nocreaterole noinherit;
    exception when duplicate_object or unique_violation then
      null;
    end;
  end if;
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    execute format('grant lode_ledger to %I', current_user);
  end if;
end
$$;

grant usage, create on schema lode to lode_ledger;
grant select (id, account) on lode.member to lode_ledger;
do $$
begin
  if to_regclass('lode.clock') is not null then
    grant select on lode.clock to lode_ledger;
  end if;
end
$$;

set local role lode_ledger;

create type lode.log_phase as enum ('confirming', 'confirmed', 'canceled');

-- ---- the chart: rows generated from chart.ts, in the migration after this one ------------------------------------------

create table lode.ledger_asset (
  code smallint primary key check (code between 1 and 3),
  name text not null unique
);

create table lode.ledger_log_type (
  code smallint primary key check (code > 0),
  name text not null unique
);

create table lode.ledger_kind (
  code smallint primary key check (code between 1 and 63),
  name text not null unique,
  holder text not null check (holder in ('member', 'system', 'suspense')),
  assets smallint[] not null,
  floored boolean not null,
  stripes smallint not null check (stripes between 1 and 64),
  log text check (log in ('available', 'frozen'))
);

create table lode.ledger_type (
  code smallint primary key check (code > 0),
  name text not null unique,
  roles name[] not null,
  debits smallint[] not null,
  credits smallint[] not null,
  key_space text not null,
  phase lode.log_phase,
  logs smallint[] not null,
  credits_others boolean not null,
  same_address boolean not null,
  undoes smallint
);

-- What lode.post_plain needs to know of a movement that begins one line of one member's log: it follows from the two tables
-- above. Debit and credit are an account's number without owner and stripe.
create table lode.ledger_move (
  type smallint,
  debit smallint,
  credit smallint,
  log smallint,
  roles name[] not null,
  -- Whose key it is, and how the system's begin.
  key_of_member boolean not null,
  key_start text collate "C" not null,
  debit_of_member boolean not null,
  debit_stripes smallint not null,
  phase lode.log_phase not null,
  primary key (type, debit, credit, log)
);

-- ---- accounts ----------------------------------------------------------------------------------------------------------

-- An account's number says what it is: owner << 14 | kind << 8 | asset << 6 | stripe, the owner being a member, 0 for the
-- system, or a negative number for an address that nobody registered. So an account need not be looked up, all accounts of
-- one owner lie side by side, and so do the stripes of one account.
--
-- Apart from the floor, the tables that every post writes carry no CHECK and no foreign key: PostgreSQL prepares them again
-- for every statement (7 µs for this one, 45 µs for the five that a log line would want, of 200 µs for a whole post). lode.post
-- checks the same before it writes, and the audit checks it again.
create table lode.ledger_account (
  id bigint primary key,
  floor numeric,
  balance numeric not null default 0,
  version bigint not null default 0,
  constraint ledger_account_floor check (balance >= floor)
) with (fillfactor = 60);

create table lode.suspense_holder (
  owner bigint primary key generated always as identity (start -1 increment -1 minvalue -281474976710656),
  address bytea not null unique check (octet_length(address) = 20)
);

-- ---- transactions and postings -----------------------------------------------------------------------------------------

create sequence lode.ledger_transaction_id;

-- member is whose key it is; 0 is the system's.
create table lode.ledger_transaction (
  id bigint primary key,
  member bigint not null,
  key text collate "C" not null,
  input_hash bytea not null,
  type smallint not null,
  posted_at timestamptz not null,
  unique (member, key)
);

-- A member's postings are kept together. The system is one member among ten million and has half of all postings, so its
-- are spread by account instead.
create table lode.posting (
  member bigint not null,
  account bigint not null,
  version bigint not null,
  transaction bigint not null,
  line bigint,
  amount numeric not null,
  balance_after numeric not null,
  primary key (member, account, version)
) partition by range (member);

create table lode.posting_system partition of lode.posting for values from (minvalue) to (1) partition by hash (account);
create table lode.posting_member partition of lode.posting for values from (1) to (maxvalue) partition by hash (member);
create index posting_by_transaction on lode.posting (transaction);

-- ---- the log that members see ------------------------------------------------------------------------------------------

create sequence lode.log_line_id;

-- One line per operation of a member, written with its first transaction. What was reserved ends once, in log_closing. So
-- nothing here ever changes either: a line's status is the phase of its closing, or else its own.
create table lode.log_line (
  member bigint not null,
  asset smallint not null,
  id bigint not null,
  type smallint not null,
  operation text collate "C" not null,
  transaction bigint not null,
  phase lode.log_phase not null,
  -- The available balance changes by amount − fee.
  amount numeric not null,
  fee numeric not null,
  at timestamptz not null,
  primary key (member, asset, id),
  unique (member, asset, type, operation)
) partition by hash (member);

create index log_line_by_type on lode.log_line (member, asset, type, id);
create index log_line_reserved on lode.log_line (member, asset, id) where phase = 'confirming';

create table lode.log_closing (
  member bigint not null,
  asset smallint not null,
  line bigint not null,
  transaction bigint not null,
  phase lode.log_phase not null,
  at timestamptz not null,
  primary key (member, asset, line)
) partition by hash (member);

do $$
begin
  for n in 0..15 loop
    execute format('create table lode.posting_system_%s partition of lode.posting_system for values with (modulus 16, remainder %s)', n, n);
    execute format('create table lode.posting_member_%s partition of lode.posting_member for values with (modulus 16, remainder %s)', n, n);
    execute format('create table lode.log_line_%s partition of lode.log_line for values with (modulus 16, remainder %s)', n, n);
    execute format('create table lode.log_closing_%s partition of lode.log_closing for values with (modulus 16, remainder %s)', n, n);
  end loop;
end
$$;

-- ---- seals -------------------------------------------------------------------------------------------------------------

-- A chain of hashes over everything above; seal.ts says what is hashed, and why no committed transaction is missed.
create table lode.ledger_seal (
  number bigint primary key check (number > 0),
  previous bytea not null check (octet_length(previous) = 32),
  transactions int8multirange not null check (not isempty(transactions)),
  -- No transaction up to this number is unsealed, and none can appear any more.
  complete bigint not null,
  -- The last transaction number given out before this seal, and the database transaction that made it: when all database
  -- transactions up to that one have ended, no lower number than that one is still to come.
  last_given bigint not null,
  made_by xid8 not null,
  sealed_at timestamptz not null,
  hash bytea not null unique check (octet_length(hash) = 32)
);

create index ledger_seal_by_end on lode.ledger_seal (upper(transactions));

-- ---- commands ----------------------------------------------------------------------------------------------------------

-- What was answered to a member's key, refusals included; commands.ts. Not part of the books.
create table lode.command (
  member bigint not null,
  key text collate "C" not null,
  name text not null,
  input_hash bytea not null check (octet_length(input_hash) = 32),
  done boolean not null,
  answer jsonb not null,
  answered_at timestamptz not null default lode.now(),
  primary key (member, key)
);

-- ---- what nobody may do ------------------------------------------------------------------------------------------------

create function lode.refuse_change() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $refuse$
begin
  raise exception 'ledger: % of % is refused: what was written stays', tg_op, tg_table_name using errcode = 'LL002';
end
$refuse$;

-- `always`: not even a session that plays a replica gets past them; a superuser has to disable them by name.
do $$
declare
  kept regclass;
begin
  for kept in
    select oid from pg_catalog.pg_class
    where relnamespace = 'lode'::regnamespace and relkind in ('r', 'p')
      and relname ~ '^(ledger_transaction|ledger_seal|posting|log_line|log_closing|command)(_|$)'
  loop
    execute format('create trigger refuse_truncate before truncate on %s execute function lode.refuse_change()', kept);
    execute format('alter table %s enable always trigger refuse_truncate', kept);
  end loop;
  foreach kept in array array['lode.ledger_transaction', 'lode.ledger_seal', 'lode.posting', 'lode.log_line',
                              'lode.log_closing', 'lode.command']::regclass[]
  loop
    execute format('create trigger refuse_change before update or delete on %s for each row execute function lode.refuse_change()', kept);
  end loop;
  for kept in select tgrelid from pg_catalog.pg_trigger where tgname = 'refuse_change' loop
    execute format('alter table %s enable always trigger refuse_change', kept);
  end loop;
end
$$;

-- ---- what each process may do ------------------------------------------------------------------------------------------

revoke execute on function lode.refuse_change from public;

grant select on
  lode.ledger_asset, lode.ledger_log_type, lode.ledger_kind, lode.ledger_type, lode.ledger_move, lode.ledger_account, lode.suspense_holder,
  lode.ledger_transaction, lode.posting, lode.log_line, lode.log_closing, lode.ledger_seal
  to lode_api, lode_worker, lode_signer;
grant select on lode.ledger_transaction_id to lode_worker;
grant select, insert (member, key, name, input_hash, done, answer) on lode.command to lode_api, lode_worker;

reset role;
revoke create on schema lode from lode_ledger;
