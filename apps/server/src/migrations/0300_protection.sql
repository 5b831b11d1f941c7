-- What keeps a member's money when a token, or a wallet, is in the wrong hands: the fund password, the output address, the
-- member's own lock, the browsers that were seen, and a log of every change. docs/protections.md explains it.
--
-- Nobody writes these tables but the functions below, which stamp everything with lode.now(): a stolen process can ask for a
-- change, with its wait and its line in the log, and can neither shorten the one nor leave out the other.

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

-- ---- the log -----------------------------------------------------------------------------------------------------------

create function lode.write_security_line(
  of_member bigint, by_session uuid, of_kind text, of_address bytea default null, of_until timestamptz default null
) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $line$
  insert into lode.security_line (member_id, at, kind, user_agent, address, until)
  select of_member, lode.now(), of_kind,
         (select user_agent from lode.session where id = by_session and member_id = of_member), of_address, of_until;
$line$;

-- ---- the fund password -------------------------------------------------------------------------------------------------

-- Locks the member's row, making it where there is none, with a reset that was waited out made the password.
create function lode.settle_reset(of_member bigint) returns lode.protection
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $settle$
declare
  settled lode.protection;
begin
  insert into lode.protection (member_id) values (of_member) on conflict do nothing;
  select * into settled from lode.protection where member_id = of_member for no key update;
  if settled.reset_ends_at <= lode.now() then
    update lode.protection set
      hash = reset_hash, chosen_at = coalesce(chosen_at, reset_ends_at), reset_done_at = reset_ends_at,
      tries = 0, locked_until = null,
      reset_hash = null, reset_asked_at = null, reset_ends_at = null
    where member_id = of_member returning * into settled;
    -- Whoever kept the set-up code has no use for it any more.
    delete from lode.setup_code where member_id = of_member;
  end if;
  return settled;
end
$settle$;

-- Counts a try and gives out the hash to try against: nobody sees a hash without having spent a try. The fifth locks by
-- being counted, so that however many come at once, five are given out; a right one takes the count away again.
create function lode.begin_fund_password_try(of_member bigint)
returns table (verdict text, hash text)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $try$
declare
  found_row lode.protection;
begin
  found_row := lode.settle_reset(of_member);
  if found_row.hash is null then
    return query select 'unset', null::text;
    return;
  end if;
  update lode.protection as counted set
    tries = case when counted.locked_until is null then counted.tries + 1 else 1 end,
    locked_until = case when counted.locked_until is null and counted.tries = 4
                        then lode.now() + interval '15 minutes' end
  where counted.member_id = of_member and (counted.locked_until is null or counted.locked_until <= lode.now())
  returning counted.* into found_row;
  if not found then
    return query select 'locked', null::text;
    return;
  end if;
  return query select case when found_row.locked_until is null then 'try' else 'last-try' end, found_row.hash;
end
$try$;

-- The hash is the one that was tried: a password that was changed meanwhile is not cleared by an answer about the old one.
create function lode.end_right_try(of_member bigint, right_hash text) returns boolean
language sql security definer
set search_path = pg_catalog, pg_temp
as $right$
  with cleared as (
    update lode.protection set tries = 0, locked_until = null
    where member_id = of_member and hash = right_hash returning 1)
  select exists (select from cleared);
$right$;

-- The last try was wrong too, so the lock that it was counted with stays.
create function lode.end_last_try(of_member bigint, by_session uuid) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $last$
  select lode.write_security_line(of_member, by_session, 'fund-password-locked', null, locked_until)
  from lode.protection where member_id = of_member and locked_until > lode.now();
$last$;

-- Whether the first password can be chosen with this code. Asked before the slow hash is made, and again when it is there.
create function lode.judge_setup_code(of_member bigint, with_code bytea) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $judge$
declare
  present lode.protection := lode.settle_reset(of_member);
begin
  if present.hash is not null then return 'fund-password-chosen'; end if;
  if present.reset_ends_at is not null then return 'reset-waiting'; end if;
  if not exists (select from lode.setup_code where member_id = of_member and code_hash = with_code) then
    return 'setup-code-wrong';
  end if;
  return 'ok';
end
$judge$;

create function lode.choose_fund_password(of_member bigint, by_session uuid, with_code bytea, new_hash text) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $choose$
declare
  verdict text := lode.judge_setup_code(of_member, with_code);
begin
  if verdict <> 'ok' then return verdict; end if;
  delete from lode.setup_code where member_id = of_member;
  update lode.protection set hash = new_hash, chosen_at = lode.now() where member_id = of_member;
  perform lode.write_security_line(of_member, by_session, 'fund-password-chosen');
  return 'ok';
end
$choose$;

-- The old hash is what the old password was found right against: of two changes at once, one is.
create function lode.change_fund_password(of_member bigint, by_session uuid, old_hash text, new_hash text) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $change$
declare
  present lode.protection := lode.settle_reset(of_member);
begin
  if present.reset_ends_at is not null then return 'reset-waiting'; end if;
  if present.hash is distinct from old_hash then return 'fund-password-wrong'; end if;
  update lode.protection set hash = new_hash, changed_at = lode.now(), tries = 0, locked_until = null
  where member_id = of_member;
  perform lode.write_security_line(of_member, by_session, 'fund-password-changed', null, lode.now() + interval '24 hours');
  return 'ok';
end
$change$;

-- A new set-up code, where nothing is to be lost yet: no password was ever chosen and no money ever moved.
create function lode.issue_setup_code(of_member bigint, by_session uuid, new_code bytea) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $issue$
declare
  present lode.protection := lode.settle_reset(of_member);
begin
  if present.reset_ends_at is not null then return 'reset-waiting'; end if;
  if present.hash is not null or exists (select from lode.posting where member = of_member) then
    return 'setup-code-refused';
  end if;
  delete from lode.setup_code where member_id = of_member;
  insert into lode.setup_code (member_id, code_hash) values (of_member, new_code);
  perform lode.write_security_line(of_member, by_session, 'setup-code-issued');
  return 'ok';
end
$issue$;

create function lode.ask_reset(of_member bigint, by_session uuid, new_hash text) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $reset$
declare
  present lode.protection := lode.settle_reset(of_member);
begin
  if present.reset_ends_at is not null then return 'reset-waiting'; end if;
  update lode.protection set
    reset_hash = new_hash, reset_asked_at = lode.now(), reset_ends_at = lode.now() + interval '72 hours'
  where member_id = of_member;
  perform lode.drop_waiting_address(of_member, by_session);
  delete from lode.session where member_id = of_member and id <> by_session;
  perform lode.write_security_line(of_member, by_session, 'reset-asked', null, lode.now() + interval '72 hours');
  return 'ok';
end
$reset$;

create function lode.cancel_reset(of_member bigint, by_session uuid) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $cancel$
declare
  present lode.protection := lode.settle_reset(of_member);
begin
  if present.reset_ends_at is null then return 'reset-none'; end if;
  update lode.protection set reset_hash = null, reset_asked_at = null, reset_ends_at = null
  where member_id = of_member;
  perform lode.write_security_line(of_member, by_session, 'reset-cancelled');
  return 'ok';
end
$cancel$;

-- ---- the output address ------------------------------------------------------------------------------------------------

-- What was bound at a moment: the newest that had waited its time out uncancelled, or else the member's own wallet.
create function lode.bound_output_address(of_member bigint, at_moment timestamptz)
returns table (address bytea, asked_at timestamptz, bound_at timestamptz)
language sql security definer stable
set search_path = pg_catalog, pg_temp
as $bound$
  select coalesce(chosen.address, own.account), chosen.asked_at, chosen.binds_at
  from lode.member as own
  left join lateral (
    select address, asked_at, binds_at from lode.output_address
    where member_id = of_member and cancelled_at is null and binds_at <= at_moment
    order by number desc limit 1) as chosen on true
  where own.id = of_member;
$bound$;

create function lode.drop_waiting_address(of_member bigint, by_session uuid) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $drop$
declare
  dropped bytea;
begin
  update lode.output_address set cancelled_at = lode.now()
  where member_id = of_member and cancelled_at is null and binds_at > lode.now()
  returning address into dropped;
  if not found then return false; end if;
  perform lode.write_security_line(of_member, by_session, 'output-address-cancelled', dropped);
  return true;
end
$drop$;

create function lode.ask_output_address(of_member bigint, by_session uuid, new_address bytea) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $ask$
declare
  present lode.protection := lode.settle_reset(of_member);
begin
  if present.reset_ends_at is not null then return 'reset-waiting'; end if;
  if present.hash is null then return 'fund-password-unset'; end if;
  if exists (select from lode.output_address
             where member_id = of_member and cancelled_at is null and binds_at > lode.now()) then
    return 'output-address-waiting';
  end if;
  if (select address from lode.bound_output_address(of_member, lode.now())) = new_address then
    return 'output-address-same';
  end if;
  insert into lode.output_address (member_id, number, address, asked_at, binds_at)
  select of_member, coalesce(max(number), 0) + 1, new_address, lode.now(), lode.now() + interval '48 hours'
  from lode.output_address where member_id = of_member;
  perform lode.write_security_line(of_member, by_session, 'output-address-asked', new_address, lode.now() + interval '48 hours');
  return 'ok';
end
$ask$;

create function lode.cancel_output_address(of_member bigint, by_session uuid) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $cancel$
begin
  perform lode.settle_reset(of_member);
  return case when lode.drop_waiting_address(of_member, by_session) then 'ok' else 'output-address-none' end;
end
$cancel$;

-- ---- the member's own lock ---------------------------------------------------------------------------------------------

create function lode.lock_transfers(of_member bigint, by_session uuid, days int) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $lock$
declare
  present lode.protection := lode.settle_reset(of_member);
  new_end timestamptz := lode.now() + make_interval(days => days);
begin
  if days not between 1 and 30 then raise exception 'transfers are locked for 1 to 30 days, not %', days; end if;
  if present.hash is null then return 'fund-password-unset'; end if;
  if present.transfers_locked_until >= new_end then return 'transfer-lock-shorter'; end if;
  update lode.protection set transfers_locked_until = new_end where member_id = of_member;
  perform lode.write_security_line(of_member, by_session, 'transfers-locked', null, new_end);
  return 'ok';
end
$lock$;

-- ---- browsers and sessions ---------------------------------------------------------------------------------------------

-- The browser of registration is the one that is seen in the transaction that makes the member: nobody can claim it later.
create function lode.see_device(of_member bigint, by_session uuid, of_hash bytea) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $see$
declare
  registering boolean := (select created_at = lode.now() from lode.member where id = of_member);
begin
  insert into lode.device (member_id, id_hash, first_seen_at, of_registration)
  values (of_member, of_hash, lode.now(), registering) on conflict do nothing;
  if found and not registering then
    perform lode.write_security_line(of_member, by_session, 'device-new', null, lode.now() + interval '24 hours');
  end if;
end
$see$;

-- One session of the member's, or with null all others.
create function lode.revoke_sessions(of_member bigint, by_session uuid, revoked uuid) returns int
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $revoke$
declare
  ended int;
begin
  if revoked is not null then
    delete from lode.session where member_id = of_member and id = revoked;
  else
    delete from lode.session where member_id = of_member and id <> by_session;
  end if;
  get diagnostics ended = row_count;
  if ended > 0 then
    perform lode.write_security_line(of_member, by_session,
      case when revoked is null then 'sessions-revoked' else 'session-revoked' end);
  end if;
  return ended;
end
$revoke$;

-- ---- what each process may do ------------------------------------------------------------------------------------------

revoke execute on function
  lode.write_security_line, lode.settle_reset, lode.begin_fund_password_try,
  lode.end_right_try, lode.end_last_try, lode.judge_setup_code, lode.choose_fund_password, lode.change_fund_password,
  lode.issue_setup_code, lode.ask_reset, lode.cancel_reset, lode.bound_output_address, lode.drop_waiting_address,
  lode.ask_output_address, lode.cancel_output_address, lode.lock_transfers, lode.see_device, lode.revoke_sessions
  from public;
grant execute on function
  lode.begin_fund_password_try, lode.end_right_try, lode.end_last_try, lode.judge_setup_code, lode.choose_fund_password,
  lode.change_fund_password, lode.issue_setup_code, lode.ask_reset, lode.cancel_reset, lode.ask_output_address,
  lode.cancel_output_address, lode.lock_transfers, lode.see_device, lode.revoke_sessions
  to lode_api;
grant execute on function lode.bound_output_address to lode_api, lode_worker, lode_signer;

-- The api reads everything but the hashes.
grant select (member_id, chosen_at, changed_at, tries, locked_until, reset_asked_at, reset_ends_at, reset_done_at, transfers_locked_until)
  on lode.protection to lode_api;
grant select on lode.output_address, lode.device, lode.security_line to lode_api;

reset role;
revoke create on schema lode from lode_protection;
