-- Lets the signer prove every posting of the custody and airdrop accounts again, as two operators decided. The proof can
-- only go back: nothing counts as proven that the signer has not looked up.
create or replace function lode.prove_again(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $prove$
begin
  if lode.take_decision(of_decision, 'prove-again', 2) is null then return 'done'; end if;
  delete from lode.proof;
  return 'ok';
end
$prove$;

revoke execute on function lode.prove_again from public;
grant execute on function lode.prove_again to lode_worker;
