set local role lode_ledger;

-- Whether a false posting explains why custody and ledger differ in this asset: the signer has found one that can be
-- undone, or two operators have announced to undo one. Then a fall of the balance without a log is not written off:
-- the write-off and the reversal together would correct the same amount twice.
create or replace function lode.has_false_posting(of_asset text) returns boolean
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $has$
begin
  return exists (select from lode.reversal where asset = of_asset and ended is null)
      or exists (select from lode.missing_log missing cross join lateral lode.find_reversal(0, missing.key) found
                 where found.problem is null and found.asset = of_asset);
end
$has$;

revoke execute on function lode.has_false_posting from public;
grant execute on function lode.has_false_posting to lode_payout, lode_worker, lode_operator;
