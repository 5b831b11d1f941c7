-- Cancels one transfer and gives its money back under the log line of another one of the same amount. That line would be
-- over, and the other transfer could be neither paid nor canceled.
begin;
select lode.cancel_transfer(:victim, ':canceled');
select lode.post(
  array[(:victim << 14) + :account.available.USDT, (:victim << 14) + :account.frozenOut.USDT], null,
  array[:victim], array['transfer::canceled:release'], array[sha256('release')], array[:type.transferRelease]::smallint[],
  array[1, 1], array[1, 2], array[11000000, -11000000]::numeric[], array[1, 1],
  array[:log.transferOut]::smallint[], array[':other'], array[0]::numeric[], false);
commit;
