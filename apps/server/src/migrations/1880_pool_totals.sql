-- Totals of the whole pool, kept instead of counted. Commands only add rows to pool_change, so that they never wait for
-- each other here. Every minute the worker moves these rows into the single row of pool_total. The totals are the sum of
-- both tables.

create table lode.pool_change (
  members bigint not null default 0,
  units bigint not null default 0,
  power bigint not null default 0,
  investment numeric not null default 0,
  pledges bigint not null default 0,
  pledged numeric not null default 0
);

create table lode.pool_total (
  single boolean primary key default true check (single),
  members bigint not null,
  units bigint not null,
  power bigint not null,
  investment numeric not null,
  pledges bigint not null,
  pledged numeric not null
);

insert into lode.pool_total (members, units, power, investment, pledges, pledged)
select (select count(*) from lode.member), sold.*, locked.*
from (
  select count(*), coalesce(sum(power), 0), coalesce(sum(to_mining), 0)
  from lode.pay_order where type = :order.promotion and ended = 'success'
) sold, (
  select count(*), coalesce(sum(amount), 0) from lode.pledge where returned_at is null
) locked;

grant insert on lode.pool_change to lode_orders;
grant select on lode.pool_change, lode.pool_total to lode_api, lode_worker;
