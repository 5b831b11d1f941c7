set local role lode_payout;

-- How much a member has used of the 24 hours that end now. It has no upper end: a request that began earlier than one
-- which was let in before it, or by a clock that was set back since, must count that one too, or both could be let in.
create or replace function lode.quota_used(of_member bigint, of_asset text) returns numeric
language sql security definer stable
set search_path = pg_catalog, pg_temp
as $used$
  select coalesce(sum(amount), 0) from lode.quota_use
  where member_id = of_member and asset = of_asset and given_back_at is null and at > lode.now() - interval '24 hours';
$used$;

revoke execute on function lode.quota_used from public;
grant execute on function lode.quota_used to lode_api;
