set local role lode_ledger;

-- The id in a key such as `order:<id>:settle`. Null if there is none. Without settings of its own, so that PostgreSQL
-- puts it into the statement that calls it.
create or replace function lode.id_of_key(key text) returns uuid
language sql immutable
as $id$
  select case when key ~ '^[a-z]+:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(:|$)'
              then split_part(key, ':', 2)::uuid end
$id$;

revoke execute on function lode.id_of_key from public;
grant execute on function lode.id_of_key to lode_orders, lode_payout;
