-- A statement of some days adds up all successful orders of a member. With these columns it reads only the index, and not
-- a page of the table for each order.

grant create on schema lode to lode_orders;
set local role lode_orders;

drop index lode.pay_order_successful;
create index pay_order_successful on lode.pay_order (member_id, type) include (amount, balance_part, ended_at)
  where ended = 'success';

reset role;
revoke create on schema lode from lode_orders;
