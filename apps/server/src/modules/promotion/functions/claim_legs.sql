set local role lode_orders;

-- The legs of the transaction that pays claimed Thanksgiving rewards. Null if there is no such claim.
create or replace function lode.claim_legs(posted lode.ledger_transaction) returns lode.leg[]
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $legs$
declare
  own bigint := posted.member << 14;
begin
  return (
    select array[row(own + :account.available.USDT, amount), row(own + :account.agentUnclaimed.USDT, -amount)]::lode.leg[]
    from lode.reward_claim
    where member_id = posted.member and operation = lode.id_of_key(posted.key) and posted.key = 'claim:' || operation);
end
$legs$;

revoke execute on function lode.claim_legs from public;
grant execute on function lode.claim_legs to lode_ledger;
