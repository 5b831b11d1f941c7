set local role lode_orders;

create or replace function lode.reject_partner(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $reject$
declare
  decided record;
  application_row lode.partner_application;
begin
  decided := lode.signed_by_two(of_decision, 'reject-partner');
  application_row := lode.application_named(decided.body);
  if application_row.id is null then return 'unknown'; end if;
  if application_row.decision_id = of_decision then return 'done'; end if;
  if application_row.decision_id is not null then return 'already'; end if;
  if decided.expired then return 'expired'; end if;
  update lode.partner_application
  set decision_id = of_decision, decision_place = 2, decided_at = lode.now(), note = decided.body ->> 'note'
  where id = application_row.id;
  return 'ok';
end
$reject$;

revoke execute on function lode.reject_partner from public;
grant execute on function lode.reject_partner to lode_worker;
