set local role lode_payout;

-- Records that the vault skipped a payout in a final block. If the payout is still in the release that this chain
-- transaction belongs to, it leaves the release, and a refusal by its token is counted.
create or replace function lode.step_back(of_id uuid, by_tx bytea, by_log_index int, because text) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $step$
begin
  insert into lode.payout_skip (tx, log_index, payout_id, reason) values (by_tx, by_log_index, of_id, because);
  update lode.payout
  set release_number = null, look_at = lode.now(), held_check = null,
      waits_for = case because when 'cap' then 'cap' when 'balance' then 'float' end,
      token_failures = token_failures + case because when 'token' then 1 else 0 end
  where id = of_id and ended is null
    and release_number = (select release_number from lode.release_form where hash = by_tx);
end
$step$;

revoke execute on function lode.step_back from public;
grant execute on function lode.step_back to lode_worker;
