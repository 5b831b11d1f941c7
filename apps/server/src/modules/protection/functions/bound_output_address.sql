set local role lode_protection;

-- The output address at a moment: the newest one that had completed its wait without being canceled, or else the
-- member's own wallet. An address other than the wallet itself is bound only if the signer has verified its signature.
create or replace function lode.bound_output_address(of_member bigint, at_moment timestamptz)
returns table (address bytea, asked_at timestamptz, bound_at timestamptz)
language sql security definer stable
set search_path = pg_catalog, pg_temp
as $bound$
  select coalesce(chosen.address, own.account), chosen.asked_at, chosen.binds_at
  from lode.member as own
  left join lateral (
    select address, asked_at, binds_at from lode.output_address
    where member_id = of_member and cancelled_at is null and binds_at <= at_moment
      and (address = own.account or signature_valid)
    order by number desc limit 1) as chosen on true
  where own.id = of_member;
$bound$;

revoke execute on function lode.bound_output_address from public;
grant execute on function lode.bound_output_address to lode_api, lode_worker, lode_signer, lode_payout;
