-- What an operator's own machine connects with. It can write down what operators sign, see what they decide about, and wake the
-- worker: no book, no member, no payout. Whoever steals it without a key can be in the way until the owner clears that away: what
-- does not verify holds payouts, and neither moves one nor undoes what keeps one back.

do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'lode_operator') then
    begin
      create role lode_operator login nosuperuser nocreatedb nocreaterole noinherit;
    exception when duplicate_object or unique_violation then
      null;
    end;
  end if;
  if to_regclass('lode.clock') is not null then
    grant select on lode.clock to lode_operator;
  end if;
end
$$;

grant usage on schema lode to lode_operator;
grant select on
  lode.migration, lode.function_version, lode.decision, lode.decision_signature, lode.operator_link, lode.treasury_address,
  lode.chain_state, lode.chain_block, lode.pool_address
  to lode_operator;
grant insert (subject, verb, body, expires_at) on lode.decision to lode_operator;
grant insert (decision_id, place, operator, signature) on lode.decision_signature to lode_operator;
grant insert (number, decision_id, hash) on lode.operator_link to lode_operator;
grant insert (decision_id, address) on lode.treasury_address to lode_operator;
grant select (id, account, disabled_at) on lode.member to lode_operator;

set local role lode_ledger;
grant select on lode.ledger_account, lode.suspense_holder to lode_operator;
reset role;
set local role lode_protection;
grant select (member_id, changed_at, reset_ends_at, reset_done_at, transfers_locked_until) on lode.protection to lode_operator;
reset role;
set local role lode_payout;
grant select on lode.payout, lode.release, lode.chain_outgoing, lode.decision_outcome to lode_operator;
grant select (release_number, attempt, hash, max_fee, signed_at) on lode.release_form to lode_operator;
reset role;
