-- Publishes the notice whose text two operators signed. Returns `no-text` if no text has the hash that they signed.
create or replace function lode.publish_notice(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $publish$
declare
  decided jsonb := lode.take_decision(of_decision, 'publish-notice', 2);
begin
  if decided is null then return 'done'; end if;
  insert into lode.notice (words, decision_id)
  select body::jsonb, of_decision from lode.signed_text where hash = decode(decided ->> 'text', 'hex');
  return case when found then 'ok' else 'no-text' end;
end
$publish$;

revoke execute on function lode.publish_notice from public;
grant execute on function lode.publish_notice to lode_worker;
