-- As lode_api: uses the key under which the worker will unfreeze an order that was not paid. The worker could then never
-- close the order. Freezing and unfreezing moves nothing, so it needs no money of anybody.
begin;
select lode.post(
  array[(:victim << 14) + :account.available.USDT, (:victim << 14) + :account.frozenOut.USDT], null,
  array[:victim], array['order::order:release'], array[sha256('spent')], array[:type.transferRequest]::smallint[],
  array[1, 1], array[1, 2], array[-1, 1]::numeric[], array[1, 1],
  array[:log.transferOut]::smallint[], array['spent'], array[0]::numeric[], false);
commit;
