-- Promotions: who is at which level, and what others get for it. docs/promotion.md draws it.
--
-- Nobody gets a level but by lode.settle_promotion, together with the order that buys it. The postings are made by the same
-- transaction; the ledger sees to it that they add up.

grant create on schema lode to lode_orders;
grant update (level) on lode.member to lode_orders;

set local role lode_ledger;
grant select (id, member, key, type) on lode.ledger_transaction to lode_orders;
grant select (member, transaction, amount) on lode.posting to lode_orders;
reset role;

set local role lode_team;

grant select on lode.team_place to lode_orders;

reset role;
set local role lode_orders;

-- Members whom two operators authorised; they alone get the Thanksgiving reward.
create table lode.sharing_expert (
  member_id bigint primary key references lode.member,
  authorised_at timestamptz not null default lode.now()
);

-- What a member has come to by promotions, its own and others'. No row: nothing yet.
create table lode.promotion_tally (
  member_id bigint primary key references lode.member,
  power numeric not null default 0 check (power >= 0),
  -- Smallest units of USDT that it paid for promotions, and that it got for others'.
  investment numeric not null default 0 check (investment >= 0),
  income numeric not null default 0 check (income >= 0),
  -- Promotion rewards ever credited.
  rewards int not null default 0 check (rewards >= 0)
) with (fillfactor = 80);

-- What a promotion brought to somebody else, or would have brought.
create table lode.reward (
  member_id bigint not null references lode.member,
  id bigint generated always as identity,
  order_id uuid not null references lode.pay_order,
  type text not null check (type in ('promotionReward', 'upLevelReward', 'agentReward')),
  -- In which of the member's layers the buyer stands; null where it is for having invited.
  layer smallint check (layer between 1 and 5),
  basis_points smallint not null check (basis_points between 1 and 10000),
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  -- Why it went to the mining fund instead.
  failed text check (failed in ('not-activated', 'level-below', 'count-reached')),
  at timestamptz not null default lode.now(),
  claimed_at timestamptz,
  primary key (member_id, id),
  unique (order_id, type, member_id),
  check ((type = 'promotionReward') = (layer is null)),
  check (failed is null or claimed_at is null),
  check (claimed_at is null or type = 'agentReward')
);

create index reward_by_type on lode.reward (member_id, type, id);
create index reward_failed on lode.reward (member_id, id) where failed is not null;
create index reward_unclaimed on lode.reward (member_id, id)
  where type = 'agentReward' and failed is null and claimed_at is null;

-- ---- what each process may do ------------------------------------------------------------------------------------------

grant select on lode.sharing_expert, lode.promotion_tally, lode.reward to lode_api, lode_worker;

reset role;
revoke create on schema lode from lode_orders;
-- Whether a level can be bought, and by whom others are shown.
grant select (id, account, sponsor_id, level) on lode.member to lode_worker;
