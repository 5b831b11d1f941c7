-- The published plan, by version, and what its amounts are reckoned in. docs/plan.md explains it.
--
-- A version is added and never changed: what somebody bought under it stays to be read. Only the owner adds one, by the command
-- line, and only under two signatures; whoever pays by it checks those for itself.

create table lode.plan (
  version int primary key check (version > 0),
  -- The one spelling of it, whose hash the operators signed.
  body text not null check (length(body) <= 100000),
  -- Whether it makes leaving harder than a version that was in force then or was to come. Then it waits.
  leaving_harder boolean not null,
  starts_at timestamptz not null,
  published_at timestamptz not null,
  decision_id bigint not null unique references lode.decision,
  -- The second signature, by another key: without it there is no such row.
  decision_place smallint not null default 2 check (decision_place = 2),
  foreign key (decision_id, decision_place) references lode.decision_signature (decision_id, place)
);

-- When it starts is what was signed and when say, whoever writes the row. Versions have no gap, and come one after the other.
create function lode.stamp_plan() returns trigger
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
  new.published_at := second_at;
  new.starts_at := greatest(
    second_at + case when new.leaving_harder then interval '168 hours' else interval '0' end,
    case when decided ->> 'starts' <> 'at once' then (decided ->> 'starts')::timestamptz end);
  return new;
end
$stamp$;

create trigger stamp before insert on lode.plan for each row execute function lode.stamp_plan();
alter table lode.plan enable always trigger stamp;
select lode.keep_as_written('lode.plan');

-- How many decimals each token has: a plan is in whole coins, everything that is paid in smallest units. Written with the first version, by
-- the owner as well, so that whoever is given an amount can look it up in the plan and need not believe it.
create table lode.token (
  asset text primary key check (asset in ('USDT', 'BTN', 'BTC')),
  decimals smallint not null check (decimals between 6 and 30)
);

-- The version in force at a moment: the highest that has started. One that a later version has overtaken never comes.
-- Every order asks for it, and before PostgreSQL 18 a function in SQL is planned anew with every call.
create function lode.plan_in_force(at_time timestamptz default lode.now()) returns int
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $force$
begin
  return (select version from lode.plan where starts_at <= at_time order by version desc limit 1);
end
$force$;

revoke execute on function lode.plan_in_force from public;
grant execute on function lode.plan_in_force to lode_api, lode_worker, lode_signer;
grant select on lode.plan to lode_api, lode_worker, lode_signer;
grant select on lode.token to lode_api, lode_worker, lode_signer, lode_operator;
