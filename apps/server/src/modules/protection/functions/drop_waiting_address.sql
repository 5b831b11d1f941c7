set local role lode_protection;

create or replace function lode.drop_waiting_address(of_member bigint, by_session uuid) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $drop$
declare
  dropped bytea;
begin
  update lode.output_address set cancelled_at = lode.now()
  where member_id = of_member and number = (select number from lode.waiting_output_address(of_member))
  returning address into dropped;
  if not found then return false; end if;
  perform lode.write_security_line(of_member, by_session, 'output-address-cancelled', dropped);
  return true;
end
$drop$;

revoke execute on function lode.drop_waiting_address from public;
