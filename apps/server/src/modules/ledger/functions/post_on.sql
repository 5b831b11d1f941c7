set local role lode_ledger;

-- A phase of lode.post: everything after the accounts are found. It locks them, checks and computes the batch, and
-- writes what can be posted. If a transaction lacks money, and a stripe was chosen that another one may help, it raises
-- an exception with the code LL004.
create or replace function lode.post_on(
  account record, new_holders bigint[],
  members bigint[], keys text[], hashes bytea[], types smallint[],
  leg_transactions int[], leg_accounts int[], leg_amounts numeric[], leg_lines int[],
  line_types smallint[], line_operations text[], line_fees numeric[],
  addresses bytea[], together boolean
) returns text[]
language plpgsql
as $on$
declare
  stored record;
  known record;
  checked record;
  computed record;
  line record;
  outcomes text[];
  posted_count int;
begin
  stored := lode.post_lock_accounts(account.locked);
  known := lode.post_find_keys(members, keys);
  computed := lode.post_compute(hashes, known, leg_transactions, leg_accounts, leg_amounts, account, stored);
  outcomes := computed.outcomes;
  if account.chose_stripe and 'insufficient' = any (outcomes) then
    raise exception 'ledger: a stripe may have too little' using errcode = 'LL004';
  end if;
  checked := lode.post_check_legs(
    members, keys, hashes, types, leg_transactions, leg_accounts, leg_amounts, leg_lines, line_types,
    account.account_id, account.account_pair, account.pair_holder, account.pair_log, outcomes);
  line := lode.post_compute_lines(
    types, checked.phases, outcomes, leg_transactions, leg_accounts, leg_amounts, leg_lines,
    line_types, line_operations, line_fees, checked.line_account,
    account.account_pair, account.pair_log);
  if checked.has_source then
    perform lode.post_check_source(
      members, keys, types, outcomes, leg_transactions, leg_accounts, leg_amounts, account.account_id);
  end if;

  if together and outcomes && array['insufficient', 'conflict'] then
    outcomes := array_replace(outcomes, 'posted', 'undone');
  end if;
  posted_count := cardinality(array_positions(outcomes, 'posted'));
  if posted_count > 0 then
    posted_count := lode.post_write(
      members, keys, hashes, types, outcomes, leg_transactions, leg_amounts, leg_lines,
      line_types, line_operations, account.locked, computed, checked, line);
    if addresses is not null then
      perform lode.post_note_members(addresses);
    end if;
  end if;
  -- A credit of less than one unit for each stripe leaves some of the new stripes unused.
  if posted_count < cardinality(keys) or account.divided is not null then
    perform lode.post_remove_unused(stored.new_accounts, new_holders);
  end if;

  if cardinality(keys) = 1 then
    return array[concat_ws(' ', outcomes[1], case when outcomes[1] <> 'undone' then computed.numbers[1] end)];
  end if;
  return (
    select array_agg(concat_ws(' ', given.outcome, case when given.outcome <> 'undone' then given.number end) order by given.place)
    from unnest(outcomes, computed.numbers) with ordinality as given (outcome, number, place)
  );
end
$on$;

revoke execute on function lode.post_on from public;
