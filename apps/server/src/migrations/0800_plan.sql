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

select lode.keep_as_written('lode.plan');

-- How many decimals each token has: a plan is in whole coins, everything that is paid in smallest units. Written with the first version, by
-- the owner as well, so that whoever is given an amount can look it up in the plan and need not believe it.
create table lode.token (
  asset text primary key check (asset in ('USDT', 'BTN', 'BTC')),
  decimals smallint not null check (decimals between 6 and 30)
);

grant select on lode.plan to lode_api, lode_worker, lode_signer;
grant select on lode.token to lode_api, lode_worker, lode_signer, lode_operator;
