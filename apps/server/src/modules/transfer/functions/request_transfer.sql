set local role lode_payout;

-- Inserts the row of a transfer and uses its quota. The caller posts amount and fee to frozenOut in the same
-- transaction: a row without this posting is not paid. Requests of one member run one after the other, so that each
-- sees the quota that the earlier ones used.
create or replace function lode.request_transfer(
  of_member bigint, by_session uuid, of_id uuid, of_asset text, of_amount numeric, of_fee numeric, of_fee_burned numeric,
  of_plan int, quota_total numeric
) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $request$
declare
  device_seen timestamptz;
begin
  -- Amounts of the ledger are below 2 to the 128th. The scale of NaN is null, so NaN is refused here too.
  if (scale(of_amount) = 0 and scale(of_fee) = 0 and scale(of_fee_burned) = 0 and of_amount > 0
      and of_amount + of_fee < 340282366920938463463374607431768211456) is not true then
    raise exception 'the amount of a transfer must be whole smallest units, and is %', of_amount;
  end if;
  -- The decision about a payment of the operators names the id of its payout before the payout is made.
  if exists (select from lode.decision where subject in ('treasury:' || of_id, 'suspense:' || of_id)) then
    raise exception 'the id % belongs to a payment that operators have decided on', of_id;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('transfer ' || of_member, 0));

  -- A browser without an id counts as first seen when its session began.
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

revoke execute on function lode.request_transfer from public;
grant execute on function lode.request_transfer to lode_api;
