set local role lode_payout;

-- How much quota a member has used in the last 24 hours. A use whose time is after lode.now() counts too. It comes from
-- a request that began later but was accepted first, or from a clock that was set back. If it did not count, both
-- requests could be accepted.
create or replace function lode.quota_used(of_member bigint, of_asset text) returns numeric
language sql security definer stable
set search_path = pg_catalog, pg_temp
as $used$
  select coalesce(sum(amount), 0) from lode.quota_use
  where member_id = of_member and asset = of_asset and given_back_at is null and at > lode.now() - interval '24 hours';
$used$;

revoke execute on function lode.quota_used from public;
grant execute on function lode.quota_used to lode_api;
