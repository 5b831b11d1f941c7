-- A member's transfer out: asked for, cancelled, rejected, reverted, and the quota that it takes. docs/money-out.md draws it.
--
-- Whoever calls says how much of what. To which address, at which level, from which browser and when is not the caller's to
-- say: the functions read it from the member's own rows and stamp it. So a stolen process can ask for a member's money to be sent
-- to where that member wanted it, and nowhere else.

grant create on schema lode to lode_payout;
grant select (id, member_id, device_hash, created_at) on lode.session to lode_payout;
-- The signer checks for itself to whom it pays, and what holds it; the worker looks before it rejects. Neither sees a hash.
grant select (id, account, level, disabled_at) on lode.member to lode_signer;

set local role lode_protection;
grant select on lode.device to lode_payout;
grant execute on function lode.bound_output_address to lode_payout;
grant select (member_id, changed_at, reset_ends_at, reset_done_at, transfers_locked_until) on lode.protection
  to lode_worker, lode_signer;
reset role;

set local role lode_payout;

-- What the operators said when they rejected it.
alter table lode.payout add column rejection_note text check (length(rejection_note) <= 500);

-- What was asked for, against what may be in any 24 hours: a line a request, at the time of the request. What is cancelled,
-- rejected or reverted never leaves, so its line counts no more from then on.
create table lode.quota_use (
  payout_id uuid primary key references lode.payout,
  member_id bigint not null references lode.member,
  asset text not null check (asset in ('USDT', 'BTN', 'BTC')),
  at timestamptz not null,
  amount numeric not null check (amount > 0),
  given_back_at timestamptz
);

create index quota_use_that_counts on lode.quota_use (member_id, asset, at) include (amount) where given_back_at is null;

-- How much a member has used of the 24 hours that end now. It has no upper end: a request that began earlier than one which was
-- let in before it, or by a clock that was set back since, must count that one too, or both could be let in.
create function lode.quota_used(of_member bigint, of_asset text) returns numeric
language sql security definer stable
set search_path = pg_catalog, pg_temp
as $used$
  select coalesce(sum(amount), 0) from lode.quota_use
  where member_id = of_member and asset = of_asset and given_back_at is null and at > lode.now() - interval '24 hours';
$used$;

-- Makes the row of a transfer and takes its quota. The caller posts amount and fee to frozenOut in the same transaction: a row
-- without that is not paid. Requests of one member come one after the other, so that each sees what the one before it took.
create function lode.request_transfer(
  of_member bigint, by_session uuid, of_id uuid, of_asset text, of_amount numeric, of_fee numeric, of_fee_burned numeric,
  of_plan int, quota_total numeric
) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $request$
declare
  device_seen timestamptz;
begin
  -- 2 to the 128th bounds what the books can hold. A NaN has no scale.
  if (scale(of_amount) = 0 and scale(of_fee) = 0 and scale(of_fee_burned) = 0 and of_amount > 0
      and of_amount + of_fee < 340282366920938463463374607431768211456) is not true then
    raise exception 'a transfer is of whole smallest units, not %', of_amount;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('transfer ' || of_member, 0));

  -- A browser without an id counts as seen when its session began.
  select case when device.of_registration then null else coalesce(device.first_seen_at, session.created_at) end
  into device_seen
  from lode.session
  left join lode.device on device.member_id = session.member_id and device.id_hash = session.device_hash
  where session.id = by_session and session.member_id = of_member;
  if not found then return 'session-expired'; end if;

  if (lode.quota_used(of_member, of_asset) + of_amount <= quota_total) is not true then return 'quota-insufficient'; end if;

  insert into lode.payout (id, kind, asset, amount, address, requested_at, member_id, fee, fee_burned, plan_version, level,
                           address_bound_at, device_seen_at)
  select of_id, 'transfer', of_asset, of_amount, bound.address, lode.now(), member.id, of_fee, of_fee_burned, of_plan,
         member.level, case when bound.address <> member.account then bound.bound_at end, device_seen
  from lode.member
  cross join lateral lode.bound_output_address(member.id, lode.now()) as bound
  where member.id = of_member;
  insert into lode.quota_use (payout_id, member_id, asset, at, amount)
  values (of_id, of_member, of_asset, lode.now(), of_amount);
  return 'ok';
end
$request$;

-- Ends one that will not be paid. The caller has locked the row, and posts what was frozen back in the same transaction.
create function lode.end_unpaid_transfer(of_id uuid, as_what text, with_note text default null) returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $end$
  update lode.payout
  set ended = as_what, ended_at = lode.now(), release_number = null, waits_for = null, held_check = null, rejection_note = with_note
  where id = of_id;
  update lode.quota_use set given_back_at = lode.now() where payout_id = of_id;
$end$;

-- The member's own cancelling. It and the signer lock the same row, and one of them is first.
create function lode.cancel_transfer(of_member bigint, of_id uuid) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $cancel$
declare
  present lode.payout;
begin
  select * into present from lode.payout where id = of_id and member_id = of_member for no key update;
  if not found then return 'order-unknown'; end if;
  if present.ended is not null or present.release_number is not null then return 'order-completed'; end if;
  perform lode.end_unpaid_transfer(of_id, 'cancelled');
  return 'ok';
end
$cancel$;

-- By the operators, whose signatures the caller has verified.
create function lode.reject_transfer(of_id uuid, with_note text) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $reject$
declare
  present lode.payout;
begin
  select * into present from lode.payout where id = of_id and kind = 'transfer' for no key update;
  if not found then return 'unknown'; end if;
  if present.ended is not null or present.release_number is not null then return 'too-late'; end if;
  perform lode.end_unpaid_transfer(of_id, 'rejected', with_note);
  return 'ok';
end
$reject$;

-- Its token would not make it, twice, and that is final.
create function lode.revert_transfer(of_id uuid) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $revert$
begin
  perform from lode.payout
  where id = of_id and kind = 'transfer' and ended is null and release_number is null and token_failures > 1
  for no key update;
  if not found then raise exception 'transfer % cannot be reverted', of_id; end if;
  perform lode.end_unpaid_transfer(of_id, 'reverted');
end
$revert$;

-- ---- what each process may do ------------------------------------------------------------------------------------------

revoke execute on function
  lode.quota_used, lode.request_transfer, lode.end_unpaid_transfer, lode.cancel_transfer, lode.reject_transfer, lode.revert_transfer
  from public;
grant execute on function lode.quota_used, lode.request_transfer, lode.cancel_transfer to lode_api;
grant execute on function lode.reject_transfer, lode.revert_transfer to lode_worker;
grant select on lode.quota_use to lode_api, lode_worker, lode_signer;

reset role;
revoke create on schema lode from lode_payout;
