set local role lode_ledger;

-- Posts a batch. Accounts, transactions, legs and lines are parallel arrays. A leg refers to its transaction, account
-- and line by their index (line 0 means none). Legs are ordered by transaction.
--
-- Returns one outcome for each transaction:
--   posted        with its number
--   repeated      the key was used before with the same input; with the number of the first transaction
--   conflict      the key was used before with other input; with the number of that transaction
--   insufficient  a floor would be broken; this transaction is not posted, the others are (not with "together")
--   undone        only with "together": this transaction is valid, but another one of the batch is not
-- A request that no correct caller makes raises an exception.
--
-- Every call takes its locks in one order: new suspense holders by address, then all accounts by number, then the sums
-- by day by their key. A new account is inserted at its position in this order. A database transaction that calls
-- lode.post twice loses the order and can deadlock, so post everything in one batch. Keys are looked up under the locks
-- of the accounts. If two calls use the same key on different accounts at the same moment, the unique index lets only
-- one of them commit.
--
-- Each phase is a function post_… of its own, which no process may execute. A phase runs once for the whole batch: a
-- call for each transaction would copy the arrays of the batch each time. The phases loop over arrays, because
-- PostgreSQL prepares every expression and statement again in every transaction. A version with the checks in one
-- set-based statement took three times as long for a single post.
create or replace function lode.post(
  accounts bigint[], addresses bytea[],
  members bigint[], keys text[], hashes bytea[], types smallint[],
  leg_transactions int[], leg_accounts int[], leg_amounts numeric[], leg_lines int[],
  line_types smallint[], line_operations text[], line_fees numeric[],
  together boolean
) returns text[]
language plpgsql security definer
set search_path = pg_catalog, pg_temp
-- Every table is read by its key, so the same plan fits any size. Without these settings, a plan that was made while a
-- table was small would keep reading the whole table. They apply to the functions of the phases too.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $post$
declare
  new_holders bigint[];
  account record;
  stored record;
  known record;
  checked record;
  computed record;
  line record;
  outcomes text[];
  posted_count int;
begin
  if (cardinality(accounts) > 0 and cardinality(keys) > 0 and cardinality(leg_transactions) > 0
      and cardinality(line_types) >= 0
      and (addresses is null or cardinality(addresses) = cardinality(accounts))
      and array[cardinality(members), cardinality(hashes), cardinality(types)] = array_fill(cardinality(keys), array[3])
      and array[cardinality(leg_accounts), cardinality(leg_amounts), cardinality(leg_lines)]
          = array_fill(cardinality(leg_transactions), array[3])
      and array[cardinality(line_operations), cardinality(line_fees)] = array_fill(cardinality(line_types), array[2])
      and together is not null) is not true then
    raise exception 'ledger: the arrays of a batch do not have matching lengths' using errcode = 'LL001';
  end if;

  if addresses is not null then
    new_holders := lode.post_add_holders(addresses);
  end if;
  account := lode.post_find_accounts(accounts, addresses, leg_accounts, leg_amounts, false);
  if account.chose_stripe then
    -- If the stripe has too little after all, the locks of this block are released, and all stripes are tried.
    begin
      stored := lode.post_lock_accounts(account.locked);
      known := lode.post_find_keys(members, keys);
      computed := lode.post_compute(hashes, known, leg_transactions, leg_accounts, leg_amounts, account, stored);
      if 'insufficient' = any (computed.outcomes) then
        raise exception 'ledger: a stripe may have too little' using errcode = 'LL004';
      end if;
    exception when sqlstate 'LL004' then
      account := lode.post_find_accounts(accounts, addresses, leg_accounts, leg_amounts, true);
    end;
  end if;
  if not account.chose_stripe then
    stored := lode.post_lock_accounts(account.locked);
    known := lode.post_find_keys(members, keys);
    computed := lode.post_compute(hashes, known, leg_transactions, leg_accounts, leg_amounts, account, stored);
  end if;
  outcomes := computed.outcomes;
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
$post$;

revoke execute on function lode.post from public;
grant execute on function lode.post to lode_api, lode_worker;
