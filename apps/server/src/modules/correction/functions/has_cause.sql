set local role lode_ledger;

-- Whether the database finds the cause of a posting. It cannot see the chain: of a log it checks only the key.
create or replace function lode.has_cause(of_transaction bigint) returns boolean
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $has$
begin
  return (select lode.is_caused(posted) is true from lode.ledger_transaction posted where posted.id = of_transaction);
end
$has$;

revoke execute on function lode.has_cause from public;
grant execute on function lode.has_cause to lode_signer;
