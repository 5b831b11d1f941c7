set local role lode_protection;

-- The member's request for an output address that is neither bound nor canceled. It waits for 48 hours, and until the
-- signer has verified the wallet's signature. No row if no request waits.
create or replace function lode.waiting_output_address(of_member bigint) returns setof lode.output_address
language sql security definer stable
set search_path = pg_catalog, pg_temp
as $waiting$
  select newest.* from (
    select * from lode.output_address
    where member_id = of_member and cancelled_at is null and signature_valid is not false
    order by number desc limit 1) as newest
  where newest.binds_at > lode.now() or newest.signature is not null and newest.signature_valid is null;
$waiting$;

revoke execute on function lode.waiting_output_address from public;
grant execute on function lode.waiting_output_address to lode_api;
