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
    -- If the stripe has too little after all, everything since "begin" is undone, locks included, and all stripes are
    -- tried. The whole post is in this block: rows that are locked in it and updated after it would need a MultiXact each.
    begin
      return lode.post_on(
        account, new_holders, members, keys, hashes, types, leg_transactions, leg_accounts, leg_amounts, leg_lines,
        line_types, line_operations, line_fees, addresses, together);
    exception when sqlstate 'LL004' then
      account := lode.post_find_accounts(accounts, addresses, leg_accounts, leg_amounts, true);
    end;
  end if;
  return lode.post_on(
    account, new_holders, members, keys, hashes, types, leg_transactions, leg_accounts, leg_amounts, leg_lines,
    line_types, line_operations, line_fees, addresses, together);
end
$post$;

revoke execute on function lode.post from public;
grant execute on function lode.post to lode_api, lode_worker;
