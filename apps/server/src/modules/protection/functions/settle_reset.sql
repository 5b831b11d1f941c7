set local role lode_protection;

-- Locks and returns the member's protection row; creates it if there is none. Completes a reset whose wait is over.
create or replace function lode.settle_reset(of_member bigint) returns lode.protection
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $settle$
declare
  settled lode.protection;
begin
  insert into lode.protection (member_id) values (of_member) on conflict do nothing;
  select * into settled from lode.protection where member_id = of_member for no key update;
  if settled.reset_ends_at <= lode.now() then
    update lode.protection set
      hash = reset_hash, chosen_at = coalesce(chosen_at, reset_ends_at), reset_done_at = reset_ends_at,
      tries = 0, locked_until = null,
      reset_hash = null, reset_asked_at = null, reset_ends_at = null
    where member_id = of_member returning * into settled;
    -- A set-up code only serves to choose the first password, and now there is one.
    delete from lode.setup_code where member_id = of_member;
  end if;
  return settled;
end
$settle$;

revoke execute on function lode.settle_reset from public;
