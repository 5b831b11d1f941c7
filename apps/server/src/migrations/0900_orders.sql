-- Orders that are paid for: promotions and pledges. docs/promotion.md draws them.
--
-- An order is a row of facts; where it stands follows from them, from what the chain says and from the time. The processes write it
-- only by the functions below. What it is for and what that costs stand in the plan, and the functions look it up there; when it was made,
-- up to when it can be paid and that nothing else is open they see to themselves.

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
grant execute on function lode.plan_in_force to lode_orders;

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
  -- As on the wire: 1 promotion, 3 pledge.
  type smallint not null check (type in (1, 3)),
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
  check ((type = 1) = (level is not null)),
  check ((type = 1) = (power is not null)),
  check ((type = 1) = (airdrop is not null)),
  check ((type = 3) = (term_days is not null)),
  check ((type = 3) = (term_weight is not null)),
  check ((type = 3) = (weight is not null)),
  check ((type = 3) = (asset = 'BTN')),
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

-- What the chain's clock says, as far as anybody here knows: never behind the pool's own. Nor far ahead of it, whatever a node says of a
-- block that is not final: an order stays open until the books have passed its deadline.
create function lode.chain_now() returns timestamptz
language sql security definer stable
set search_path = pg_catalog, pg_temp
as $now$
  select least(
    lode.now() + interval '15 minutes',
    greatest(
      lode.now(),
      (select posted_time from lode.chain_state),
      (select time from lode.chain_block order by number desc limit 1)));
$now$;

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

-- Whether a plan sells this: a level at its price, with its power and its airdrop; or a pledge of whole BTN, more than the least, for one
-- of its terms, which weighs what the term makes of it.
create function lode.is_sold_by_plan(
  of_plan int, of_type int, of_asset text, of_amount numeric, quote_minutes int, of_level int, of_power numeric, of_airdrop numeric,
  of_term_days int, of_term_weight int, of_weight numeric
) returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $sold$
declare
  terms jsonb;
  usdt numeric;
  btn numeric;
  sold jsonb;
begin
  select plan.body::jsonb, ('1e' || usdt_token.decimals)::numeric, ('1e' || btn_token.decimals)::numeric
  into terms, usdt, btn
  from lode.plan, lode.token usdt_token, lode.token btn_token
  where plan.version = of_plan and usdt_token.asset = 'USDT' and btn_token.asset = 'BTN';
  if quote_minutes is distinct from (terms -> 'quoteMinutes')::int then return false; end if;
  -- What has digits after the point is no whole number to whoever reads it, though it is equal to one.
  case of_type
    when 1 then
      sold := terms -> 'levels' -> of_level;
      return of_level > 0 and of_asset = 'USDT' and of_amount = (sold ->> 'price')::numeric * usdt
        and scale(of_power) = 0 and of_power = (sold -> 'power')::numeric
        and scale(of_airdrop) = 0 and of_airdrop = (sold ->> 'airdrop')::numeric * btn;
    when 3 then
      sold := (select term from jsonb_array_elements(terms -> 'pledgeTerms') term where (term -> 'days')::int = of_term_days);
      return of_asset = 'BTN' and mod(of_amount, btn) = 0 and of_amount > (terms ->> 'pledgeAbove')::numeric * btn
        and of_term_weight = (sold -> 'weight')::int
        and scale(of_weight) = 0 and of_weight = div(of_amount, btn) * of_term_weight;
    else
      return false;
  end case;
end
$sold$;

-- Makes the row of an order. The caller posts what is paid from the balance in the same transaction.
create function lode.make_order(
  of_member bigint, by_session uuid, of_id uuid, of_type int, of_plan int, of_asset text, of_amount numeric, of_balance_part numeric,
  quote_minutes int, of_level int, of_power numeric, of_airdrop numeric,
  of_term_days int default null, of_term_weight int default null, of_weight numeric default null
) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $make$
begin
  -- 2 to the 128th bounds what the books can hold. A NaN has no scale.
  if (scale(of_amount) = 0 and scale(of_balance_part) = 0 and of_amount > 0 and of_balance_part between 0 and of_amount
      and of_amount < 340282366920938463463374607431768211456) is not true then
    raise exception 'an order is of whole smallest units, not % of %', of_balance_part, of_amount;
  end if;
  perform from lode.session where id = by_session and member_id = of_member and mode = 'full';
  if not found then return 'session-expired'; end if;
  perform from lode.member where id = of_member and disabled_at is null;
  if not found then return 'account-disabled'; end if;
  if of_plan is distinct from lode.plan_in_force() then return 'plan-changed'; end if;
  if lode.is_sold_by_plan(of_plan, of_type, of_asset, of_amount, quote_minutes, of_level, of_power, of_airdrop,
                          of_term_days, of_term_weight, of_weight) is not true then
    raise exception 'plan % does not sell this', of_plan using errcode = 'insufficient_privilege';
  end if;

  -- That the plan is there was seen above. A foreign key would have every order lock the one row that all of them name.
  insert into lode.pay_order (id, member_id, type, plan_version, asset, amount, balance_part, deadline, level, power, airdrop,
                              term_days, term_weight, weight)
  values (of_id, of_member, of_type, of_plan, of_asset, of_amount, of_balance_part,
          case when of_balance_part < of_amount
               then date_trunc('second', lode.chain_now() + make_interval(mins => quote_minutes)) end,
          of_level, of_power, of_airdrop, of_term_days, of_term_weight, of_weight)
  on conflict (member_id, type) where ended is null do nothing;
  if not found then return 'order-open'; end if;
  -- A level that was bought meanwhile, by an order that was never open, is seen from here on at the latest.
  perform from lode.member where id = of_member and (of_type <> 1 or level + 1 = of_level);
  if not found then return 'level-not-next'; end if;
  return 'ok';
end
$make$;

-- The member wants it no more. Only the chain can say that it was not paid, so it stays open until then.
create function lode.cancel_order(of_member bigint, of_id uuid) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $cancel$
declare
  present lode.pay_order;
begin
  select * into present from lode.pay_order where id = of_id and member_id = of_member for no key update;
  if not found then return 'order-unknown'; end if;
  if present.cancelled_at is not null and present.ended is distinct from 'success' then return 'ok'; end if;
  if present.ended is not null or exists (select from lode.order_seen where order_id = of_id) then return 'order-completed'; end if;
  update lode.pay_order set cancelled_at = lode.now() where id = of_id;
  return 'ok';
end
$cancel$;

create function lode.submit_order(of_member bigint, of_id uuid, by_tx bytea) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $submit$
begin
  update lode.pay_order set submitted_tx = by_tx, submitted_at = lode.now()
  where id = of_id and member_id = of_member and ended is null and deadline is not null;
  if found then return 'ok'; end if;
  perform from lode.pay_order where id = of_id and member_id = of_member;
  return case when found then 'order-completed' else 'order-unknown' end;
end
$submit$;

-- Locks orders for the rest of the transaction, in the order in which everybody takes them.
create function lode.lock_orders(ids uuid[]) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $lock$
begin
  perform from lode.pay_order where id = any (ids) order by id for no key update;
end
$lock$;

-- Ends an order that was not paid. Up to its deadline the vault takes a payment; a block whose time is past it is in the books with
-- all before it, and none of them paid this order. The caller posts what was put aside back in the same transaction.
create function lode.close_order(of_id uuid) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $close$
begin
  update lode.pay_order
  set ended = 'failed', ended_at = lode.now(), failure = case when cancelled_at <= deadline then 'cancelled' else 'expired' end
  where id = of_id and ended is null
    and deadline < (select posted_time from lode.chain_state
                    where posted_hash is not null and posted_number >= booked_number and stopped_reason is null);
  return found;
end
$close$;

-- It was paid when its level could not be bought any more. The caller credits what was paid and what was put aside.
create function lode.fail_order(of_id uuid, by_tx bytea, by_log_index int, at_time timestamptz) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $fail$
begin
  update lode.pay_order
  set ended = 'failed', ended_at = lode.now(), failure = 'level-already-held',
      paid_tx = by_tx, paid_log_index = by_log_index, paid_at = at_time
  from lode.member
  where pay_order.id = of_id and ended is null and type = 1 and deadline is not null
    and member.id = pay_order.member_id and member.level + 1 <> pay_order.level;
  if not found then raise exception 'order % has ended, or its level is to be had', of_id; end if;
end
$fail$;

-- ---- what each process may do ------------------------------------------------------------------------------------------

revoke execute on function
  lode.chain_now, lode.is_sold_by_plan, lode.make_order, lode.cancel_order, lode.submit_order, lode.lock_orders,
  lode.close_order, lode.fail_order
  from public;
grant execute on function lode.chain_now, lode.make_order, lode.cancel_order, lode.submit_order to lode_api;
grant execute on function lode.lock_orders, lode.close_order, lode.fail_order to lode_worker;
grant select on lode.pay_order, lode.order_seen to lode_api, lode_worker;

reset role;
revoke create on schema lode from lode_orders;
