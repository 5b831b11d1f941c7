-- The version in force at a moment: the highest that has started. A version that a later one replaced before its start
-- never comes into force. Every order calls this. It is in plpgsql because before PostgreSQL 18 an SQL function is
-- planned anew with every call.
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
