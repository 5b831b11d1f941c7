set local role lode_orders;

create or replace function lode.approve_partner(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $approve$
declare
  decided record;
  application_row lode.partner_application;
  place lode.team_place;
  airdrop_amount numeric;
begin
  decided := lode.signed_by_two(of_decision, 'approve-partner');
  application_row := lode.application_named(decided.body);
  if application_row.id is null then return 'unknown'; end if;
  if application_row.decision_id = of_decision then return 'done'; end if;
  if application_row.decision_id is not null then return 'already'; end if;
  if decided.expired then return 'expired'; end if;
  if lode.plan_in_force(decided.signed_at) is distinct from (decided.body ->> 'planVersion')::int then return 'plan'; end if;
  select * into place from lode.team_place where member_id = application_row.member_id;
  if not (place.activated and lode.has_full_layers(place)) then return 'missing'; end if;
  airdrop_amount := (decided.body ->> 'airdrop')::numeric;
  update lode.partner_application set decision_id = of_decision, decision_place = 2, decided_at = lode.now()
  where id = application_row.id;
  insert into lode.partner (member_id, application_id, approved_day, plan_version, airdrop, airdrop_paid)
  values (application_row.member_id, application_row.id, floor(extract(epoch from lode.now()) / 86400),
          (decided.body ->> 'planVersion')::int, airdrop_amount,
          lode.airdrop_in_books(application_row.member_id, 'appointed:partner', :account.reserve:airdrop.BTN, airdrop_amount, true));
  return 'ok';
end
$approve$;

revoke execute on function lode.approve_partner from public;
grant execute on function lode.approve_partner to lode_worker;
