-- What a member's confirmed log lines add up to, by day, so that a figure about a member's whole history does not read
-- the whole history. docs/ledger.md says who writes and reads it.

grant create on schema lode to lode_ledger, lode_orders;
set local role lode_ledger;

-- Like the other tables that posts write, it has no CHECK and no foreign key.
create table lode.ledger_day_sum (
  member bigint not null,
  asset smallint not null,
  type smallint not null,
  -- Days since 1970-01-01, in UTC: the day on which the lines were confirmed.
  day int not null,
  -- As in log_line: what the member holds changes by amount − fee.
  amount numeric not null,
  fee numeric not null,
  primary key (member, asset, type, day)
);

insert into lode.ledger_day_sum (member, asset, type, day, amount, fee)
select line.member, line.asset, line.type, floor(extract(epoch from coalesce(closing.at, line.at)) / 86400)::int,
       sum(line.amount), sum(line.fee)
from lode.log_line line
left join lode.log_closing closing
  on closing.member = line.member and closing.asset = line.asset and closing.line = line.id
where coalesce(closing.phase, line.phase) = 'confirmed'
group by 1, 2, 3, 4;

grant select on lode.ledger_day_sum to lode_api;

reset role;
set local role lode_orders;

-- A statement adds up a member's promotions. There are at most as many as levels, but a member can make and cancel any
-- number of orders.
create index pay_order_successful on lode.pay_order (member_id, type) where ended = 'success';

reset role;
revoke create on schema lode from lode_ledger, lode_orders;
