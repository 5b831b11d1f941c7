set local role lode_protection;

create or replace function lode.cancel_output_address(of_member bigint, by_session uuid) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $cancel$
begin
  perform lode.settle_reset(of_member);
  return case when lode.drop_waiting_address(of_member, by_session) then 'ok' else 'output-address-none' end;
end
$cancel$;

revoke execute on function lode.cancel_output_address from public;
grant execute on function lode.cancel_output_address to lode_api;
