set local role lode_protection;

-- Stores a browser when it is first seen. The browser of the registration is stored in the transaction that creates the
-- member, so no other browser can claim to be it later.
create or replace function lode.see_device(of_member bigint, by_session uuid, of_hash bytea) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $see$
declare
  registering boolean := (select created_at = lode.now() from lode.member where id = of_member);
begin
  insert into lode.device (member_id, id_hash, first_seen_at, of_registration)
  values (of_member, of_hash, lode.now(), registering) on conflict do nothing;
  if found and not registering then
    -- Transfers from this browser are held until then.
    perform lode.write_security_line(of_member, by_session, 'device-new', null, lode.now() + interval '24 hours');
  end if;
end
$see$;

revoke execute on function lode.see_device from public;
grant execute on function lode.see_device to lode_api;
