-- What becomes of the operators' decisions: payments from the pool's own accounts, returns of what nobody registered for. The
-- worker carries them out by the functions here, which take everything from the decision itself: it can choose no address and
-- no amount, and nothing without two signatures.

grant create on schema lode to lode_payout;
grant references on lode.decision to lode_payout;

-- By which the worker knows whether a transfer that they reject is under review.
grant select (disabled_at) on lode.member to lode_worker;
set local role lode_protection;
grant select (member_id, changed_at, reset_ends_at, reset_done_at, transfers_locked_until) on lode.protection to lode_worker;
reset role;

-- Where the pool's own money may go, once 48 hours have passed. Such an address is never a member's.
create table lode.treasury_address (
  decision_id bigint primary key references lode.decision,
  decision_place smallint not null default 2 check (decision_place = 2),
  address bytea not null check (octet_length(address) = 20),
  foreign key (decision_id, decision_place) references lode.decision_signature (decision_id, place)
);
create index treasury_address_by_address on lode.treasury_address (address);
grant select on lode.treasury_address to lode_api, lode_worker, lode_signer, lode_payout;

set local role lode_payout;

-- What came of a decision that is carried out once. Null reason: it was done.
create table lode.decision_outcome (
  decision_id bigint primary key references lode.decision,
  reason text check (length(reason) between 1 and 300),
  at timestamptz not null default lode.now()
);

-- Makes the payout that two operators decided on, in the transaction that also books it. Answers `done` where that was done
-- before; otherwise `ok`, or why not.
create function lode.make_payment(of_decision bigint) returns text
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

-- That it was done otherwise than by making a payout, or could not be done. False where something came of it before.
create function lode.note_decision_outcome(of_decision bigint, why_not text) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $note$
begin
  insert into lode.decision_outcome (decision_id, reason) values (of_decision, left(why_not, 300)) on conflict do nothing;
  return found;
end
$note$;

-- Ends a payment that is not signed and whose decision has expired: nobody will sign it any more. What was booked for it is
-- put back in the same transaction. False where there is nothing to end.
create function lode.end_expired_payment(of_payout uuid) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $expire$
begin
  update lode.payout set ended = 'cancelled', ended_at = lode.now()
  where id = of_payout and kind in ('treasury', 'suspense') and ended is null and release_number is null
    and (select expires_at from lode.decision where id = payout.decision_id) <= lode.now();
  return found;
end
$expire$;

revoke execute on function lode.make_payment, lode.note_decision_outcome, lode.end_expired_payment from public;
grant execute on function lode.make_payment, lode.note_decision_outcome, lode.end_expired_payment to lode_worker;
grant select on lode.decision_outcome to lode_api, lode_worker, lode_signer;

reset role;
revoke create on schema lode from lode_payout;
