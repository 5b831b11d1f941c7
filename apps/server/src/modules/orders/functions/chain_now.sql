set local role lode_orders;

-- The best known time of the chain. It is never behind the database clock, and at most 15 minutes ahead of it, even if
-- a node reports a later time for a block that is not final. It sets deadlines and decides which state is shown. It
-- closes no order: an order stays open until a block after its deadline is posted.
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
