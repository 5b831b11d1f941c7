-- What keeps a member's money when a token, or a wallet, is in the wrong hands: the fund password, the output address, the
-- member's own lock, the browsers that were seen, and a log of every change. docs/protections.md explains it.
--
-- Nobody writes these tables but the functions of modules/protection/functions, which stamp everything with lode.now().
-- A stolen process can ask for a change, with its wait and its line in the log. It cannot shorten the wait or leave out
-- the line.

do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'lode_protection') then
    begin
      create role lode_protection nologin nosuperuser nocreatedb nocreaterole noinherit;
    exception when duplicate_object or unique_violation then
      null;
    end;
  end if;
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    execute format('grant lode_protection to %I', current_user);
  end if;
end
$$;

-- A session knows the browser that it was opened from.
alter table lode.session
  add column device_hash bytea check (octet_length(device_hash) = 32),
  add column user_agent text check (length(user_agent) <= 300);
grant insert (device_hash, user_agent) on lode.session to lode_api;

grant usage, create on schema lode to lode_protection;
grant select (id, account, created_at), references (id) on lode.member to lode_protection;
grant select (id, member_id, user_agent), delete on lode.session to lode_protection;
grant select, insert, delete on lode.setup_code to lode_protection;
do $$
begin
  if to_regclass('lode.clock') is not null then
    grant select on lode.clock to lode_protection;
  end if;
end
$$;
set local role lode_ledger;
grant select (member) on lode.posting to lode_protection;
reset role;

-- ---- what was written stays --------------------------------------------------------------------------------------------

create function lode.refuse_rewriting() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $refuse$
begin
  raise exception '%: % is refused: what was written stays', tg_table_name, tg_op using errcode = 'LL003';
end
$refuse$;

-- For the owner of a table, who makes it one that is only ever added to. `always`: not even a session that plays a replica gets
-- past it; what must be set aside is set aside by name.
create function lode.keep_as_written(kept regclass) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $keep$
begin
  execute format('create trigger refuse_change before update or delete on %s for each row execute function lode.refuse_rewriting()', kept);
  execute format('create trigger refuse_truncate before truncate on %s for each statement execute function lode.refuse_rewriting()', kept);
  execute format('alter table %s enable always trigger refuse_change', kept);
  execute format('alter table %s enable always trigger refuse_truncate', kept);
end
$keep$;

set local role lode_protection;

-- ---- tables ------------------------------------------------------------------------------------------------------------

-- One row a member, made by the first change; its lock is the lock of everything here. A reset that was waited out is the
-- password from that moment on, before anybody writes so: `settle_reset` only tidies up.
create table lode.protection (
  member_id bigint primary key references lode.member,
  hash text check (hash like '$argon2id$%'),
  chosen_at timestamptz,
  changed_at timestamptz,
  tries smallint not null default 0 check (tries between 0 and 5),
  locked_until timestamptz,
  reset_hash text check (reset_hash like '$argon2id$%'),
  reset_asked_at timestamptz,
  reset_ends_at timestamptz,
  reset_done_at timestamptz,
  transfers_locked_until timestamptz,
  check ((hash is null) = (chosen_at is null)),
  check (num_nulls(reset_hash, reset_asked_at, reset_ends_at) in (0, 3))
) with (fillfactor = 80);

-- Every address that was ever asked for, so that what was bound at any time can be told, with how long it had waited. The
-- member's own wallet is bound where nothing else is.
create table lode.output_address (
  member_id bigint not null references lode.member,
  number int not null check (number > 0),
  address bytea not null check (octet_length(address) = 20),
  asked_at timestamptz not null,
  binds_at timestamptz not null check (binds_at >= asked_at + interval '48 hours'),
  cancelled_at timestamptz check (cancelled_at < binds_at),
  primary key (member_id, number)
);

-- The browsers that a member signed in from, by the hash of a random id that the browser keeps.
create table lode.device (
  member_id bigint not null references lode.member,
  id_hash bytea not null check (octet_length(id_hash) = 32),
  first_seen_at timestamptz not null,
  of_registration boolean not null,
  primary key (member_id, id_hash)
);

create sequence lode.security_line_id;

create table lode.security_line (
  member_id bigint not null references lode.member,
  id bigint not null default nextval('lode.security_line_id'),
  at timestamptz not null,
  kind text not null check (kind in (
    'setup-code-issued', 'fund-password-chosen', 'fund-password-changed', 'fund-password-locked',
    'reset-asked', 'reset-cancelled',
    'output-address-asked', 'output-address-cancelled',
    'transfers-locked', 'session-revoked', 'sessions-revoked', 'device-new')),
  user_agent text,
  address bytea check (octet_length(address) = 20),
  -- From when on, or until when, what the line tells counts.
  until timestamptz,
  primary key (member_id, id)
);

select lode.keep_as_written('lode.security_line');

-- ---- what each process may do ------------------------------------------------------------------------------------------

-- The api reads everything but the hashes.
grant select (member_id, chosen_at, changed_at, tries, locked_until, reset_asked_at, reset_ends_at, reset_done_at, transfers_locked_until)
  on lode.protection to lode_api;
grant select on lode.output_address, lode.device, lode.security_line to lode_api;

reset role;
revoke create on schema lode from lode_protection;
