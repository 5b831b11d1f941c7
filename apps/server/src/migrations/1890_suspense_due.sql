-- Members for whom money was put into suspense, so that the sweep does not have to look at every unregistered address.
create table lode.suspense_due (
  member bigint primary key references lode.member
);

insert into lode.suspense_due (member)
select member.id
from lode.suspense_holder holder
join lode.member on member.account = holder.address
where exists (
  select from lode.ledger_account account
  where account.id >= holder.owner << 14 and account.id < (holder.owner + 1) << 14 and account.balance > 0);

grant select, insert on lode.suspense_due to lode_ledger;
grant select, insert, delete on lode.suspense_due to lode_worker;

-- Every login updates a row of lode.member. With free space in its page, no index changes.
alter table lode.member set (fillfactor = 80);
