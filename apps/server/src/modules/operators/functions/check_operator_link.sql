-- Checks number, hash, subject and count of signatures of a new link. It cannot verify the signatures; every process
-- that reads the chain does. A link is always added at the end, so an invalid one cannot get between valid links.
create or replace function lode.check_operator_link() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $check$
declare
  last lode.operator_link;
  decided lode.decision;
begin
  select * into last from lode.operator_link order by number desc limit 1;
  select * into decided from lode.decision where id = new.decision_id;
  if new.number <> coalesce(last.number, 0) + 1
    or new.hash <> sha256(coalesce(last.hash, ''::bytea) || convert_to(decided.body, 'UTF8'))
    or decided.subject <> 'operators'
    or (select count(*) from lode.decision_signature where decision_id = new.decision_id) < 2
  then
    raise exception 'operators: this is no link after number %', coalesce(last.number, 0) using errcode = 'LL003';
  end if;
  return new;
end
$check$;

create trigger check_link before insert on lode.operator_link for each row execute function lode.check_operator_link();
alter table lode.operator_link enable always trigger check_link;
