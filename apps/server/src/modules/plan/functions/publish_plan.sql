-- Publishes the version of the plan whose text two operators signed. The trigger stamp_plan checks version, hash and
-- signatures, and computes the start. The first version also fixes the decimals of the tokens, as signed.
create or replace function lode.publish_plan(of_decision bigint, makes_leaving_harder boolean) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $publish$
declare
  decided jsonb := lode.take_decision(of_decision, 'publish', 2);
begin
  if decided is null then return 'done'; end if;
  insert into lode.token (asset, decimals)
  select key, value::smallint from jsonb_each_text(decided -> 'decimals')
  where not exists (select from lode.token);
  insert into lode.plan (version, body, leaving_harder, decision_id)
  select substr(decided ->> 'subject', 6)::int, body, makes_leaving_harder, of_decision
  from lode.signed_text where hash = decode(decided ->> 'plan', 'hex');
  return case when found then 'ok' else 'no-text' end;
end
$publish$;

revoke execute on function lode.publish_plan from public;
grant execute on function lode.publish_plan to lode_worker;
