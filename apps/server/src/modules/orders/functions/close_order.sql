set local role lode_orders;

-- Ends an order that was not paid. The vault accepts a payment until the deadline. So an order ends only after a block
-- with a later time is posted: all blocks before it are posted too, and none has paid this order. The caller unfreezes
-- the part from the balance, in the same transaction.
create or replace function lode.close_order(of_id uuid) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $close$
begin
  update lode.pay_order
  set ended = 'failed', ended_at = lode.now(), failure = case when cancelled_at <= deadline then 'cancelled' else 'expired' end
  where id = of_id and ended is null
    and deadline < (select posted_time from lode.chain_state
                    where posted_hash is not null and posted_number >= booked_number and stopped_reason is null)
    -- The payment may be among the logs of a stopped asset, which are not posted yet.
    and not exists (select from lode.asset_stop where asset_stop.asset = pay_order.asset);
  return found;
end
$close$;

revoke execute on function lode.close_order from public;
grant execute on function lode.close_order to lode_worker;
