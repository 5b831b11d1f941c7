set local role lode_payout;

-- Locks payouts until the transaction ends. First it takes the lock on the transfers of each member. All code takes
-- these two kinds of locks in this order.
create or replace function lode.lock_payouts(ids uuid[]) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $lock$
begin
  perform pg_advisory_xact_lock(hashtextextended('transfer ' || member_id, 0))
  from (select distinct member_id from lode.payout where id = any (ids) and member_id is not null order by 1) as concerned;
  perform from lode.payout where id = any (ids) order by id for update;
end
$lock$;

revoke execute on function lode.lock_payouts from public;
grant execute on function lode.lock_payouts to lode_worker;
