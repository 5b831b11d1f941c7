-- What each member's pledges have brought so far, so that the total does not read all pledges that a member ever had.
-- Only lode.pay_pledges writes it.

grant create on schema lode to lode_orders;
set local role lode_orders;

create table lode.dividend_tally (
  member_id bigint primary key references lode.member,
  -- Smallest units of BTC that were paid into the balance: the sum of `paid` of all pledges of the member.
  paid numeric not null default 0 check (paid >= 0 and paid = trunc(paid))
) with (fillfactor = 80);

insert into lode.dividend_tally (member_id, paid)
select member_id, sum(paid) from lode.pledge group by member_id having sum(paid) > 0;

grant select on lode.dividend_tally to lode_api, lode_worker;

reset role;
revoke create on schema lode from lode_orders;
