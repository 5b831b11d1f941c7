set local role lode_orders;

-- Locks and returns the application that a decision is about, if it belongs to the member whom the decision names.
create or replace function lode.application_named(body jsonb) returns lode.partner_application
language sql volatile
set search_path = pg_catalog, pg_temp
as $named$
  select * from lode.partner_application
  where body ->> 'subject' = 'partner:' || id and id = substr(body ->> 'subject', 9)::bigint
    and member_id = lode.member_named(body)
  for no key update
$named$;

revoke execute on function lode.application_named from public;
