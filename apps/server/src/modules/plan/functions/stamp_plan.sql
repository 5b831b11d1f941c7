-- Computes the start of a version from the signed decision and the present time, which is never before the second
-- signature, so that no writer of the row can choose it. So a worker that was away does not publish into the past, and
-- members always have the whole week. The writer only says whether the version makes leaving harder, which adds a week; the signer
-- checks that again. Versions have no gaps and are inserted one at a time.
create or replace function lode.stamp_plan() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $stamp$
declare
  decided jsonb;
  second_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('lode: plan'));
  if new.version <> (select coalesce(max(version), 0) + 1 from lode.plan) then
    raise exception 'plan: version % is not the next', new.version using errcode = 'LL003';
  end if;
  select body::jsonb into decided from lode.decision where id = new.decision_id;
  select at into second_at from lode.decision_signature where decision_id = new.decision_id and place = 2;
  if second_at is null
    or decided ->> 'verb' is distinct from 'publish'
    or decided ->> 'subject' is distinct from 'plan:' || new.version
    or decided ->> 'plan' is distinct from encode(lode.text_hash(new.body), 'hex')
  then
    raise exception 'plan: two operators have not signed version % as it is', new.version using errcode = 'LL003';
  end if;
  new.published_at := greatest(second_at, lode.now());
  new.starts_at := greatest(
    new.published_at + case when new.leaving_harder then interval '168 hours' else interval '0' end,
    case when decided ->> 'starts' <> 'at once' then (decided ->> 'starts')::timestamptz end);
  return new;
end
$stamp$;

create trigger stamp before insert on lode.plan for each row execute function lode.stamp_plan();
alter table lode.plan enable always trigger stamp;
