set local role lode_protection;

-- Stores what the signer found about the signature of an output address. The first result stays. A request without a
-- valid signature is canceled, and the member's security log says so.
--
-- The address is bound 24 hours after this at the earliest, whatever the request says about its time. So somebody who
-- keeps a request in an open database transaction until its 48 hours are over cannot hide it from the member.
create or replace function lode.record_address_check(of_member bigint, of_number int, is_valid boolean) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $record$
begin
  -- Locks the member's protections, as every function does that changes them.
  perform lode.settle_reset(of_member);
  if not exists (select from lode.output_address
                 where member_id = of_member and number = of_number and cancelled_at is null
                   and signature is not null and signature_valid is null) then
    return;
  end if;
  if not is_valid and of_number = (select number from lode.waiting_output_address(of_member)) then
    perform lode.drop_waiting_address(of_member, null);
  end if;
  update lode.output_address
  set signature_valid = is_valid, binds_at = greatest(binds_at, lode.now() + interval '24 hours')
  where member_id = of_member and number = of_number;
end
$record$;

revoke execute on function lode.record_address_check from public;
grant execute on function lode.record_address_check to lode_signer;
