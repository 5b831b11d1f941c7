-- As lode_api: unfreezes the money of a transfer that the signer has signed, so that it can be paid a second time.
begin;
select lode.post(
  array[(:victim << 14) + :account.available.USDT, (:victim << 14) + :account.frozenOut.USDT], null,
  array[:victim], array['transfer::transfer:release'], array[sha256('release')], array[:type.transferRelease]::smallint[],
  array[1, 1], array[1, 2], array[:amount, -:amount]::numeric[], array[1, 1],
  array[:log.transferOut]::smallint[], array[':transfer'], array[0]::numeric[], false);
commit;
