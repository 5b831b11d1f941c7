set local role lode_orders;

-- Locks a partner's row and returns what the partner was paid so far, and the sums per partner at its approval and now.
-- Returns no row if the member is no partner.
create or replace function lode.lock_partner(of_member bigint)
  returns table (paid numeric, per_partner_from numeric, per_partner_to numeric)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $lock$
declare
  since_day int := (select approved_day from lode.partner where member_id = of_member);
begin
  if since_day is null then return; end if;
  insert into lode.partner_paid (member_id) values (of_member) on conflict do nothing;
  perform from lode.partner_paid where member_id = of_member for no key update;
  return query
    select partner_paid.paid, lode.per_partner_at(since_day), lode.per_partner_at(2147483647)
    from lode.partner_paid where member_id = of_member;
end
$lock$;

revoke execute on function lode.lock_partner from public;
grant execute on function lode.lock_partner to lode_api, lode_worker;
