set local role lode_payout;

-- Creates the payout that two operators decided on. The caller posts it in the same transaction. Returns `done` if the
-- decision already has an outcome, `ok` if the payout was created, and otherwise the reason why not.
create or replace function lode.make_payment(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $make$
declare
  decided lode.decision;
  body jsonb;
  second_at timestamptz;
begin
  insert into lode.decision_outcome (decision_id) values (of_decision) on conflict do nothing;
  if not found then return 'done'; end if;
  select * into strict decided from lode.decision where id = of_decision;
  body := decided.body::jsonb;
  select at into second_at from lode.decision_signature where decision_id = of_decision and place = 2;
  if second_at is null then raise exception 'decision % has no second signature', of_decision; end if;
  if decided.verb not in ('pay', 'return') then raise exception 'decision % is no payment', of_decision; end if;
  if decided.expires_at <= lode.now() then return 'expired'; end if;
  if decided.verb = 'pay' and not exists (
    select from lode.treasury_address as listing
    join lode.decision_signature as listed on listed.decision_id = listing.decision_id and listed.place = 2
    where listing.address = decode(substr(body ->> 'address', 3), 'hex') and listed.at + interval '48 hours' <= second_at)
  then
    return 'unlisted';
  end if;
  insert into lode.payout (id, kind, asset, amount, address, paid_from, purpose, decision_id, decision_place)
  values (
    (body ->> 'nonce')::uuid,
    case decided.verb when 'pay' then 'treasury' else 'suspense' end,
    body ->> 'symbol',
    (body ->> 'amount')::numeric,
    decode(substr(body ->> 'address', 3), 'hex'),
    case decided.verb when 'pay' then body ->> 'from' else 'suspense:address' end,
    coalesce(body ->> 'evidence', body ->> 'note'),
    of_decision, 2);
  return 'ok';
end
$make$;

revoke execute on function lode.make_payment from public;
grant execute on function lode.make_payment to lode_worker;
