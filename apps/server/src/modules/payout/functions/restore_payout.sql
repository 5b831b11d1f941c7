set local role lode_payout;

-- Makes a payout again that the database lost, because a log of the vault shows that it was paid. The terms must be
-- those of the log. The caller sets its money aside and settles it, in the same transaction. False if there is no such
-- lost payout, or if its member or its decision cannot be restored.
create or replace function lode.restore_payout(of_id uuid, of_asset text, of_amount numeric, of_address bytea, by_tx bytea)
returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $restore$
declare
  lost lode.lost_payout;
  of_member bigint;
  of_decision bigint;
begin
  select * into lost from lode.lost_payout
  where id = of_id and asset = of_asset and amount = of_amount and address = of_address and restored_at is null
  for update;
  if not found or exists (select from lode.payout where id = of_id) then return false; end if;

  if lost.kind = 'transfer' then
    select id into of_member from lode.member where account = lost.account;
  end if;
  if lost.kind = 'transfer' and of_member is null then
    -- The registration is lost too, so what this wallet paid in is suspense. If it was paid to this wallet, it is returned
    -- suspense, without a fee.
    if lost.account <> lost.address then return false; end if;
    insert into lode.payout (id, kind, asset, amount, address, requested_at, paid_from, purpose)
    values (of_id, 'suspense', of_asset, of_amount, of_address, lost.requested_at, 'suspense:address',
            'paid before the database was restored');
  elsif lost.kind = 'transfer' then
    perform pg_advisory_xact_lock(hashtextextended('transfer ' || of_member, 0));
    insert into lode.payout (id, kind, asset, amount, address, requested_at, member_id, fee, fee_burned, plan_version, level,
                             address_bound_at, device_seen_at)
    values (of_id, 'transfer', of_asset, of_amount, of_address, lost.requested_at, of_member, lost.fee, lost.fee_burned,
            lost.plan_version, lost.level, lost.address_bound_at, lost.device_seen_at);
    insert into lode.quota_use (payout_id, member_id, asset, at, amount)
    values (of_id, of_member, of_asset, lost.requested_at, of_amount);
  else
    select id into of_decision from lode.decision where body_hash = lode.text_hash(lost.decision);
    if not found then
      insert into lode.decision (subject, verb, body, expires_at, at)
      values (lost.decision::jsonb ->> 'subject', lost.decision::jsonb ->> 'verb', lost.decision,
              (lost.decision::jsonb ->> 'expiry')::timestamptz, lost.decision_at)
      returning id into of_decision;
      insert into lode.decision_signature (decision_id, place, operator, signature, at)
      select of_decision, given.place, given.operator, given.signature, given.at
      from unnest(lost.operators, lost.signatures, lost.signed_at) with ordinality as given (operator, signature, at, place);
    end if;
    if lode.make_payment(of_decision) <> 'ok' then return false; end if;
  end if;
  update lode.payout set release_number = (select release_number from lode.release_form where hash = by_tx) where id = of_id;
  update lode.lost_payout set restored_at = lode.now() where id = of_id;
  return true;
end
$restore$;

revoke execute on function lode.restore_payout from public;
grant execute on function lode.restore_payout to lode_worker;
