-- The version in force at a moment: the highest that has started. One that a later version has overtaken never comes.
-- Every order asks for it, and before PostgreSQL 18 a function in SQL is planned anew with every call.
create or replace function lode.plan_in_force(at_time timestamptz default lode.now()) returns int
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $force$
begin
  return (select version from lode.plan where starts_at <= at_time order by version desc limit 1);
end
$force$;

revoke execute on function lode.plan_in_force from public;
grant execute on function lode.plan_in_force to lode_api, lode_worker, lode_signer, lode_operator, lode_orders;
