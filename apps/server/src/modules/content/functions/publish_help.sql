-- Replaces all help articles by those that two operators signed. Returns `no-text` if no text has the hash that they
-- signed.
create or replace function lode.publish_help(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $publish$
declare
  decided jsonb := lode.take_decision(of_decision, 'publish-help', 2);
  signed jsonb;
begin
  if decided is null then return 'done'; end if;
  select body::jsonb into signed from lode.signed_text where hash = decode(decided ->> 'text', 'hex');
  if signed is null then return 'no-text'; end if;
  -- Otherwise a text without articles would delete all help.
  if jsonb_typeof(signed -> 'articles') is distinct from 'array' or signed -> 'articles' = '[]' then
    return 'no-articles';
  end if;
  delete from lode.help_article;
  insert into lode.help_article (lang, slug, place, title, blocks, decision_id)
  select article.lang, article.slug, article.place, article.title, article.blocks, of_decision
  from jsonb_to_recordset(signed -> 'articles') as article (lang text, slug text, place int, title text, blocks jsonb);
  return 'ok';
end
$publish$;

revoke execute on function lode.publish_help from public;
grant execute on function lode.publish_help to lode_worker;
