-- Orders that are paid for: promotions and pledges. docs/promotion.md draws them.
--
-- An order is a row of facts; where it stands follows from them, from what the chain says and from the time. The
-- processes write it only by the functions of modules/orders/functions. These look up in the plan what the order is for
-- and what that costs. They set themselves when it was made and until when it can be paid, and see that nothing else is
-- open.

do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'lode_orders') then
    begin
      create role lode_orders nologin nosuperuser nocreatedb nocreaterole noinherit;
    exception when duplicate_object or unique_violation then
      null;
    end;
  end if;
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    execute format('grant lode_orders to %I', current_user);
  end if;
end
$$;

-- Which order a payment says that it is for. Whether it is, the order says.
alter table lode.chain_incoming add column order_id uuid;
create index chain_incoming_by_order on lode.chain_incoming (order_id) where order_id is not null;

grant usage, create on schema lode to lode_orders;
grant select (id, account, sponsor_id, level, disabled_at), references (id) on lode.member to lode_orders;
grant select (id, member_id, mode) on lode.session to lode_orders;
grant select on lode.chain_state, lode.chain_block, lode.chain_incoming, lode.plan, lode.token to lode_orders;

do $$
begin
  -- Only outside production does the clock have a table.
  if to_regclass('lode.clock') is not null then
    grant select on lode.clock to lode_orders;
  end if;
end
$$;

set local role lode_orders;

-- The id is random and is also the id on the chain: a number from a sequence could come again from a restored backup, and an
-- old payment would match a new order.
create table lode.pay_order (
  id uuid primary key,
  -- In the order in which they were made.
  number bigint not null unique generated always as identity,
  member_id bigint not null references lode.member,
  -- The number that the wire uses, too.
  type smallint not null check (type in (:order.promotion, :order.pledge)),
  plan_version int not null check (plan_version > 0),
  asset text not null check (asset in ('USDT', 'BTN')),
  amount numeric not null check (amount > 0 and amount = trunc(amount)),
  -- What was put aside of the balance; the rest is to be paid online.
  balance_part numeric not null check (balance_part between 0 and amount and balance_part = trunc(balance_part)),
  made_at timestamptz not null default lode.now(),
  -- Whole seconds of the chain's time; null where nothing is to be paid online.
  deadline timestamptz,

  -- A promotion: the level that it buys and what comes with it.
  level smallint check (level > 0),
  power numeric check (power >= 0),
  airdrop numeric check (airdrop >= 0 and airdrop = trunc(airdrop)),

  -- A pledge: for how many days, the term's weight in basis points, and what all of it weighs: whole BTN times these.
  term_days int check (term_days > 0),
  term_weight int check (term_weight > 0),
  weight numeric check (weight > 0 and weight = trunc(weight)),

  cancelled_at timestamptz,
  -- The transaction that pays it, as the client said. Nothing follows from it but what is shown.
  submitted_tx bytea check (octet_length(submitted_tx) = 32),
  submitted_at timestamptz,

  ended text check (ended in ('success', 'failed')),
  ended_at timestamptz,
  failure text check (failure in ('cancelled', 'expired', 'level-already-held')),
  -- The log that paid it, and its block's time.
  paid_tx bytea check (octet_length(paid_tx) = 32),
  paid_log_index int,
  paid_at timestamptz,
  -- Under the locks of all whom it concerned: of two that concerned the same member, the lesser was first.
  settlement bigint unique,
  -- Of a promotion: what went to the mining fund, and whether the reserve could pay the airdrop.
  to_mining numeric check (to_mining >= 0),
  airdrop_paid boolean,

  check ((deadline is null) = (balance_part = amount)),
  check ((type = :order.promotion) = (level is not null)),
  check ((type = :order.promotion) = (power is not null)),
  check ((type = :order.promotion) = (airdrop is not null)),
  check ((type = :order.pledge) = (term_days is not null)),
  check ((type = :order.pledge) = (term_weight is not null)),
  check ((type = :order.pledge) = (weight is not null)),
  check ((type = :order.pledge) = (asset = 'BTN')),
  check ((submitted_tx is null) = (submitted_at is null)),
  check ((ended is null) = (ended_at is null)),
  check ((ended = 'failed') is true = (failure is not null)),
  check ((ended = 'success') is true = (settlement is not null)),
  check (num_nulls(paid_tx, paid_log_index, paid_at) in (0, 3)),
  check (paid_tx is null or ended is not null),
  check (paid_tx is null or deadline is not null),
  check (deadline is null or ended is distinct from 'success' or paid_tx is not null)
) with (fillfactor = 80);

-- Of each type a member has one open order at most.
create unique index pay_order_open on lode.pay_order (member_id, type) where ended is null;
create index pay_order_to_close on lode.pay_order (deadline) where ended is null;
create index pay_order_by_member on lode.pay_order (member_id, type, number);
create unique index pay_order_by_log on lode.pay_order (paid_tx, paid_log_index) where paid_tx is not null;

create sequence lode.settlement;

-- The payments of open orders that were seen in blocks which are not final. Should there be two for one, the first is the order's.
create view lode.order_seen as
  select distinct on (pay_order.id)
    pay_order.id as order_id, incoming.block_number, incoming.log_index, incoming.tx, incoming.seen_at
  from lode.pay_order
  join lode.member on member.id = pay_order.member_id
  join lode.chain_incoming incoming
    on incoming.order_id = pay_order.id and incoming.account = member.account and incoming.asset = pay_order.asset
      and incoming.amount = pay_order.amount - pay_order.balance_part
  where pay_order.ended is null
  order by pay_order.id, incoming.block_number, incoming.log_index;

-- ---- what each process may do ------------------------------------------------------------------------------------------

grant select on lode.pay_order, lode.order_seen to lode_api, lode_worker;

reset role;
revoke create on schema lode from lode_orders;
