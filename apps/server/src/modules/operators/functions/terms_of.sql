-- The text of a decision as an object; null if it is none. Somebody without a key can store any text. One text that jsonb
-- refuses must not stop a whole list.
create or replace function lode.terms_of(body text) returns jsonb
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $terms$
begin
  return case when jsonb_typeof(body::jsonb) = 'object' then body::jsonb end;
exception when others then
  return null;
end
$terms$;

revoke execute on function lode.terms_of from public;
