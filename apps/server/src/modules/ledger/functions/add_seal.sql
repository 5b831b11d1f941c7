set local role lode_ledger;

-- Adds one seal to the chain of seals and checks that it follows the newest one. The caller (seal.ts) computes the
-- hash; seal-chain.ts documents what is hashed. The audit computes the hash again.
create or replace function lode.add_seal(
  given_number bigint, given_previous bytea, given_transactions int8multirange, given_complete bigint,
  given_last bigint, given_maker xid8, given_at timestamptz, given_hash bytea
) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $seal$
declare
  newest lode.ledger_seal;
begin
  select * into newest from lode.ledger_seal order by number desc limit 1;
  if (given_number = coalesce(newest.number, 0) + 1
      and given_previous = coalesce(newest.hash, decode(repeat('00', 32), 'hex'))) is not true then
    raise exception 'ledger: seal % does not continue the chain', given_number using errcode = 'serialization_failure';
  end if;
  insert into lode.ledger_seal
  values (given_number, given_previous, given_transactions, given_complete, given_last, given_maker, given_at, given_hash);
end
$seal$;

revoke execute on function lode.add_seal from public;
grant execute on function lode.add_seal to lode_worker;
