set local role lode_orders;

create or replace function lode.apply_for_partner(of_member bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $apply$
declare
  place lode.team_place;
begin
  perform lode.lock_places(array[of_member]);
  if not exists (select from lode.member where id = of_member and disabled_at is null) then return 'account-disabled'; end if;
  if exists (select from lode.partner where member_id = of_member) then return 'partner-approved'; end if;
  if exists (select from lode.partner_application where member_id = of_member and decision_id is null) then
    return 'partner-applied';
  end if;
  select * into place from lode.team_place where member_id = of_member;
  if not place.activated then return 'partner-not-activated'; end if;
  if not lode.has_full_layers(place) then return 'partner-layers-open'; end if;
  insert into lode.partner_application (member_id) values (of_member);
  return 'ok';
end
$apply$;

revoke execute on function lode.apply_for_partner from public;
grant execute on function lode.apply_for_partner to lode_api;
