set local role lode_ledger;

-- The stripe that this connection uses of an account that is spread over several. Connections use different ones, so that
-- they do not wait for each other. Every minute each takes the next, so that all stripes are used up alike. PostgreSQL
-- puts this expression in the place of the call.
create or replace function lode.own_stripe(stripes int) returns int
language sql stable
as $stripe$
  select (pg_backend_pid() + (extract(epoch from now()) / 60)::int) % stripes
$stripe$;

revoke execute on function lode.own_stripe from public;
