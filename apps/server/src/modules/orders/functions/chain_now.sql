set local role lode_orders;

-- What the chain's clock says, as far as anybody here knows: never behind the pool's own. Nor far ahead of it,
-- whatever a node says of a block that is not final: an order stays open until the books have passed its deadline.
create or replace function lode.chain_now() returns timestamptz
language sql security definer stable
set search_path = pg_catalog, pg_temp
as $now$
  select least(
    lode.now() + interval '15 minutes',
    greatest(
      lode.now(),
      (select posted_time from lode.chain_state),
      (select time from lode.chain_block order by number desc limit 1)));
$now$;

revoke execute on function lode.chain_now from public;
grant execute on function lode.chain_now to lode_api;
