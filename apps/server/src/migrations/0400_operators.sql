-- Who runs the pool, and what they decided. docs/operators.md explains it.
--
-- Operators are Ed25519 keys. What they decide is a text, in one canonical spelling, under their signatures: the text says which
-- pool, which chain, what about, how much, to whom and until when, so that it counts once and for nothing else. Whoever pays
-- checks those signatures for itself; a row that somebody else put here is worth nothing.

do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'lode_payout') then
    begin
      create role lode_payout nologin nosuperuser nocreatedb nocreaterole noinherit;
    exception when duplicate_object or unique_violation then
      null;
    end;
  end if;
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    execute format('grant lode_payout to %I', current_user);
  end if;
end
$$;

grant usage on schema lode to lode_payout;
do $$
begin
  if to_regclass('lode.clock') is not null then
    grant select on lode.clock to lode_payout;
  end if;
end
$$;

-- `convert_to` counts as stable only because encodings could be added; that of UTF-8 will not change.
create function lode.text_hash(given text) returns bytea
language sql immutable strict parallel safe
set search_path = pg_catalog, pg_temp
as $hash$ select sha256(convert_to(given, 'UTF8')) $hash$;

create table lode.decision (
  id bigint generated always as identity primary key,
  -- What it is about, such as `transfer:<id>`, and what is decided, such as `approve`.
  subject text not null check (length(subject) between 1 and 200),
  verb text not null check (length(verb) between 1 and 40),
  -- What was signed, to the byte.
  body text not null check (length(body) <= 4000),
  body_hash bytea not null generated always as (lode.text_hash(body)) stored unique,
  -- None counts for longer than the year of a listed address; what never ended could never be got rid of.
  expires_at timestamptz not null check (isfinite(expires_at)),
  at timestamptz not null default lode.now(),
  check (expires_at <= at + interval '400 days')
);

-- The newest of a subject first, and no more of them than are wanted, however many there are.
create index decision_by_subject on lode.decision (subject, id);

-- One row a key, numbered: that a decision has a second signature says that two distinct keys signed the same text.
create table lode.decision_signature (
  decision_id bigint not null references lode.decision,
  place smallint not null check (place between 1 and 20),
  operator bytea not null check (octet_length(operator) = 32),
  signature bytea not null check (octet_length(signature) = 64),
  at timestamptz not null default lode.now(),
  primary key (decision_id, place),
  unique (decision_id, operator)
);

-- The operators themselves: a chain that begins with the ceremony, each link naming the one before it in what was signed.
create table lode.operator_link (
  number int primary key check (number between 1 and 1000),
  decision_id bigint not null unique references lode.decision,
  -- sha256 of the link before it and of the decision's body.
  hash bytea not null unique check (octet_length(hash) = 32)
);

select lode.keep_as_written('lode.decision');
select lode.keep_as_written('lode.decision_signature');
select lode.keep_as_written('lode.operator_link');

-- Written by the command line alone, as the owner or as `lode_operator`. What does not verify its owner takes out again, by
-- setting `refuse_change` aside for that one transaction.
grant select on lode.decision, lode.decision_signature, lode.operator_link
  to lode_api, lode_worker, lode_signer, lode_payout;
