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
-- Every call takes its locks in one order: new suspense holders by address, then all accounts by number. A new account
-- is inserted at its position in this order. A database transaction that calls lode.post twice loses the order and can
-- deadlock, so post everything in one batch. Keys are looked up under these locks. If two calls use the same key on
-- different accounts at the same moment, the unique index lets only one of them commit.
--
-- The function is one long loop over arrays, because PostgreSQL prepares every expression and statement again in every
-- transaction. A version with the checks in one set-based statement took three times as long for a single post.
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
-- table was small would keep reading the whole table.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $post$
declare
  account_count int;
  transaction_count int;
  line_count int;
  moment timestamptz;

  -- A pair is kind and asset together, as in the account number (kind << 2 | asset). These arrays are indexed by it.
  pair int;
  pair_holder text[];
  pair_floored boolean[];
  pair_stripes int[];
  pair_log text[];

  -- Indexed like "accounts".
  account_id bigint[];
  account_pair int[];
  account_slot int[];
  first_stripe int[];
  last_stripe int[];
  drained boolean[];
  credited boolean[];

  -- Indexed by slot: the locked rows, ordered by number. If "ordinary" is true, a slot is the same as an account index.
  locked bigint[];
  balances numeric[];
  versions bigint[];
  floors numeric[];

  ordinary boolean;
  spreadable boolean;
  new_holders bigint[];
  new_accounts bigint[];
  earlier int[];
  spent_by bigint[];
  spent_on bytea[];

  -- Indexed like "keys": the outcome and the number of each transaction.
  outcomes text[];
  numbers bigint[];

  rule lode.ledger_type;
  outcome text;
  number bigint;
  posted_count int;
  unposted boolean;
  own_member bigint;
  sums numeric[];
  short boolean;
  missing numeric;

  -- The postings to write: leg, slot, and the values afterwards. posting_part is set only for a part of a leg.
  first_posting int;
  posting_count int;
  posting_leg int[];
  posting_slot int[];
  posting_version bigint[];
  posting_balance numeric[];
  posting_part numeric[];

  -- Indexed like "line_types": the stored state of each line, and what the present transaction changes.
  line_id bigint[];
  line_phase lode.log_phase[];
  line_change numeric[];
  line_account bigint[];
  touched_in int[];
  to_available numeric[];
  to_frozen numeric[];
  touched int[];
  touched_count int;
  -- The lines that this batch begins and ends.
  begun_count int;
  begun_line int[];
  begun_number bigint[];
  begun_phase lode.log_phase[];
  ended_count int;
  ended_line int[];
  ended_number bigint[];
  ended_phase lode.log_phase[];

  i int;
  j int;
  k int;
  l int;
  s int;
  base bigint;
  change numeric;
  after numeric;
  holder_of text;
  floored_as boolean;
  stripes_of int;
  log_as text;
  stored_line bigint;
  stored_phase lode.log_phase;
  affected bigint;
begin
  account_count := cardinality(accounts);
  transaction_count := cardinality(keys);
  line_count := cardinality(line_types);
  if (account_count > 0 and transaction_count > 0 and line_count >= 0 and cardinality(leg_transactions) > 0
      and (addresses is null or cardinality(addresses) = account_count)
      and array[cardinality(members), cardinality(hashes), cardinality(types)] = array_fill(transaction_count, array[3])
      and array[cardinality(leg_accounts), cardinality(leg_amounts), cardinality(leg_lines)]
          = array_fill(cardinality(leg_transactions), array[3])
      and array[cardinality(line_operations), cardinality(line_fees)] = array_fill(line_count, array[2])
      and together is not null) is not true then
    raise exception 'ledger: the arrays of a batch do not have matching lengths' using errcode = 'LL001';
  end if;

  -- Find the owner and kind of each account. --------------------------------------------------------------------------

  ordinary := true;
  if addresses is not null then
    ordinary := false;
    with made as (
      insert into lode.suspense_holder (address)
      select wanted.address
      from (select distinct a as address from unnest(addresses) a where a is not null) wanted
      where not exists (select from lode.suspense_holder existing where existing.address = wanted.address)
      order by wanted.address
      on conflict do nothing
      returning owner
    )
    select array_agg(owner) into new_holders from made;
  end if;

  for k in 1 .. account_count loop
    base := accounts[k];
    pair := (base >> 6) & 255;
    holder_of := pair_holder[pair];
    if holder_of is null then
      select holder, floored, stripes, log into holder_of, floored_as, stripes_of, log_as
      from lode.ledger_kind where code = pair >> 2 and pair & 3 = any (assets);
      if not found then
        raise exception 'ledger: there is no account of kind % in asset %', pair >> 2, pair & 3 using errcode = 'LL001';
      end if;
      pair_holder[pair] := holder_of;
      pair_floored[pair] := floored_as;
      pair_stripes[pair] := stripes_of;
      pair_log[pair] := log_as;
    end if;
    if holder_of = 'suspense' then
      select (owner << 14) | (base & 16383) into base from lode.suspense_holder where address = addresses[k];
    end if;
    if (base & 63 = 0
        and case holder_of when 'member' then base >> 14 > 0 when 'system' then base >> 14 = 0 else base < 0 end) is not true then
      raise exception 'ledger: account % does not exist', accounts[k] using errcode = 'LL001';
    end if;
    if pair_stripes[pair] > 1 then
      -- Each connection uses one stripe, so that connections do not wait for each other.
      base := base + pg_backend_pid() % pair_stripes[pair];
      spreadable := coalesce(spreadable, false) or pair_floored[pair];
    end if;
    if base <= account_id[k - 1] then
      ordinary := false;
    end if;
    account_id[k] := base;
    account_pair[k] := pair;
  end loop;

  if spreadable then
    drained := array_fill(false, array[account_count]);
    credited := drained;
    for i in 1 .. cardinality(leg_transactions) loop
      k := leg_accounts[i];
      pair := account_pair[k];
      if pair_floored[pair] and pair_stripes[pair] > 1 then
        if leg_amounts[i] < 0 then
          drained[k] := true;
          ordinary := false;
        else
          credited[k] := true;
        end if;
      end if;
    end loop;
  end if;

  if ordinary then
    locked := account_id;
  else
    -- A debit of a striped account with a floor may take from any of its existing stripes.
    select coalesce(array_agg(distinct id order by id), '{}') into locked
    from (
      select given.id
      from unnest(account_id, drained, credited) as given (id, drained, credited)
      where given.drained is not true or given.credited
      union all
      select stripe.id
      from unnest(account_id, drained) as given (id, drained)
      join lode.ledger_account stripe on stripe.id between (given.id & -64) and (given.id | 63)
      where given.drained
    ) both_ways;
    select array_agg(width_bucket(id, locked) order by place),
           array_agg(width_bucket((id & -64) - 1, locked) + 1 order by place),
           array_agg(width_bucket(id | 63, locked) order by place)
    into account_slot, first_stripe, last_stripe
    from unnest(account_id) with ordinality as given (id, place);
  end if;

  -- Take the locks. ---------------------------------------------------------------------------------------------------

  select count(*) into affected from lode.ledger_account where id = any (locked);
  if affected < cardinality(locked) then
    foreach base in array locked loop
      perform from lode.ledger_account where id = base for no key update;
      if not found then
        if base >> 14 > 0 and not exists (select from lode.member where id = base >> 14) then
          raise exception 'ledger: member % does not exist', base >> 14 using errcode = 'LL001';
        end if;
        insert into lode.ledger_account (id, floor)
        select base, case when floored then 0 end from lode.ledger_kind where code = (base >> 8) & 63
        on conflict do nothing;
        if found then
          new_accounts := new_accounts || base;
        else
          perform from lode.ledger_account where id = base for no key update;
        end if;
      end if;
    end loop;
  end if;

  select array_agg(balance), array_agg(version), array_agg(floor) into balances, versions, floors
  from (
    select balance, version, floor from lode.ledger_account where id = any (locked) order by id for no key update
  ) in_order;
  if coalesce(cardinality(balances), 0) <> cardinality(locked) then
    raise exception 'ledger: an account was deleted before it could be locked' using errcode = 'serialization_failure';
  end if;

  -- For each key: the transaction that used it before, and the previous transaction of this batch with the same key.
  select array_agg(before order by place), array_agg(id order by place), array_agg(input_hash order by place)
  into earlier, spent_by, spent_on
  from (
    select place, lag(place, 1, 0::bigint) over (partition by given.member, given.key collate "C" order by place)::int as before,
           spent.id, spent.input_hash
    from unnest(members, keys) with ordinality as given (member, key, place)
    left join lode.ledger_transaction spent on spent.member = given.member and spent.key = given.key
  ) in_batch;

  -- Compute each transaction in memory, in order. ---------------------------------------------------------------------

  i := 1;
  posting_count := 0;
  posted_count := 0;
  for t in 1 .. transaction_count loop
    if rule.code is distinct from types[t] then
      select * into rule from lode.ledger_type where code = types[t];
      if not found then
        raise exception 'ledger: there is no transaction type %', types[t] using errcode = 'LL001';
      end if;
      if session_user <> all (rule.roles) then
        raise exception 'ledger: % may not post %', session_user, rule.name using errcode = 'insufficient_privilege';
      end if;
    end if;
    if (keys[t] !~ '[^!-~]' and length(keys[t]) between 1 and 200 and octet_length(hashes[t]) = 32
        and case rule.key_space when 'member' then members[t] > 0 else members[t] = 0 and starts_with(keys[t], rule.key_space || ':') end)
       is not true then
      raise exception 'ledger: % is not a key for % of member %', keys[t], rule.name, members[t] using errcode = 'LL001';
    end if;

    -- Was the key used before, by an earlier transaction of this batch or by a stored one?
    outcome := 'posted';
    if earlier[t] > 0 then
      j := earlier[t];
      while j > 0 loop
        if outcomes[j] = 'posted' then
          outcome := case when hashes[j] = hashes[t] then 'repeated' else 'conflict' end;
          number := numbers[j];
          exit;
        end if;
        j := earlier[j];
      end loop;
    end if;
    if outcome = 'posted' and spent_by[t] is not null then
      outcome := case when spent_on[t] = hashes[t] then 'repeated' else 'conflict' end;
      number := spent_by[t];
    end if;
    if outcome <> 'posted' then
      while leg_transactions[i] = t loop
        i := i + 1;
      end loop;
      outcomes[t] := outcome;
      numbers[t] := number;
      unposted := true;
      continue;
    end if;

    number := nextval('lode.ledger_transaction_id');
    first_posting := posting_count + 1;
    own_member := members[t];
    sums := array[0, 0, 0]::numeric[];
    short := false;
    touched_count := 0;

    while leg_transactions[i] = t loop
      k := leg_accounts[i];
      change := leg_amounts[i];
      pair := account_pair[k];
      base := account_id[k];
      -- The program can represent amounts below 2 to the 128th. The scale of NaN is null, so NaN is refused too.
      if (scale(change) = 0 and change <> 0 and abs(change) < 340282366920938463463374607431768211456
          and pair >> 2 = any (case when change < 0 then rule.debits else rule.credits end)) is not true then
        if (scale(change) = 0 and change <> 0 and abs(change) < 340282366920938463463374607431768211456) is not true then
          raise exception 'ledger: % is not an amount', change using errcode = 'LL001';
        end if;
        raise exception 'ledger: % may not % %', rule.name, case when change < 0 then 'debit' else 'credit' end,
          (select name from lode.ledger_kind where code = pair >> 2) using errcode = 'LL001';
      end if;
      sums[pair & 3] := sums[pair & 3] + change;
      if pair_holder[pair] = 'member' and not (rule.credits_others and change > 0) and own_member <> base >> 14 then
        if own_member <> 0 then
          raise exception 'ledger: % of member % may not touch member %', rule.name, own_member, base >> 14 using errcode = 'LL001';
        end if;
        own_member := base >> 14;
      end if;

      l := leg_lines[i];
      log_as := pair_log[pair];
      if log_as is null then
        if (l = 0) is not true then
          raise exception 'ledger: only available and frozen accounts have log lines' using errcode = 'LL001';
        end if;
      else
        if (line_types[l] = any (rule.logs)) is not true then
          raise exception 'ledger: % needs a log line of a type that the chart gives it', rule.name using errcode = 'LL001';
        end if;
        if touched_in[l] is distinct from t then
          touched_in[l] := t;
          touched_count := touched_count + 1;
          touched[touched_count] := l;
          to_available[l] := 0;
          to_frozen[l] := 0;
          if line_account[l] is null then
            line_account[l] := base;
          end if;
        end if;
        if line_account[l] >> 14 <> base >> 14 or (line_account[l] >> 6) & 3 <> pair & 3 then
          raise exception 'ledger: a log line is about one member and one asset' using errcode = 'LL001';
        end if;
        if log_as = 'available' then
          to_available[l] := to_available[l] + change;
        else
          to_frozen[l] := to_frozen[l] + change;
        end if;
      end if;

      if change < 0 and drained[k] then
        missing := -change;
        s := first_stripe[k];
        while missing > 0 and s <= last_stripe[k] loop
          change := least(missing, balances[s] - floors[s]);
          if change > 0 then
            missing := missing - change;
            balances[s] := balances[s] - change;
            versions[s] := versions[s] + 1;
            posting_count := posting_count + 1;
            posting_leg[posting_count] := i;
            posting_slot[posting_count] := s;
            posting_version[posting_count] := versions[s];
            posting_balance[posting_count] := balances[s];
            posting_part[posting_count] := -change;
          end if;
          s := s + 1;
        end loop;
        short := short or missing > 0;
      else
        s := k;
        if not ordinary then
          s := account_slot[k];
        end if;
        after := balances[s] + change;
        if change < 0 and after < floors[s] then
          short := true;
        end if;
        balances[s] := after;
        versions[s] := versions[s] + 1;
        posting_count := posting_count + 1;
        posting_leg[posting_count] := i;
        posting_slot[posting_count] := s;
        posting_version[posting_count] := versions[s];
        posting_balance[posting_count] := after;
      end if;
      i := i + 1;
    end loop;

    if 0 <> any (sums) or posting_count < first_posting and not short then
      raise exception 'ledger: % does not sum to zero', rule.name using errcode = 'LL001';
    end if;

    if short then
      for j in first_posting .. posting_count loop
        s := posting_slot[j];
        balances[s] := balances[s] - coalesce(posting_part[j], leg_amounts[posting_leg[j]]);
        versions[s] := versions[s] - 1;
        posting_part[j] := null;
      end loop;
      posting_count := first_posting - 1;
      outcomes[t] := 'insufficient';
      numbers[t] := null;
      unposted := true;
      continue;
    end if;

    -- A line begins with a change of the available balance. If it begins as confirming, the same amount is frozen. The
    -- frozen amount leaves once, in full, and that ends the line.
    for j in 1 .. touched_count loop
      l := touched[j];
      if to_frozen[l] < 0 then
        if line_id[l] is null then
          select line.id, coalesce(closing.phase, line.phase), line.amount - line.fee
          into stored_line, stored_phase, change
          from lode.log_line line
          left join lode.log_closing closing
            on closing.member = line.member and closing.asset = line.asset and closing.line = line.id
          where line.member = line_account[l] >> 14 and line.asset = (line_account[l] >> 6) & 3
            and line.type = line_types[l] and line.operation = line_operations[l];
          line_id[l] := stored_line;
          line_phase[l] := stored_phase;
          line_change[l] := change;
        end if;
        if (line_phase[l] = 'confirming' and to_frozen[l] = line_change[l]
            and case rule.phase when 'confirmed' then to_available[l] = 0
                                when 'canceled' then to_available[l] = -line_change[l] end) is not true then
          raise exception 'ledger: % cannot end line % of %', rule.name, line_operations[l], line_account[l] >> 14
            using errcode = 'LL001';
        end if;
        line_phase[l] := rule.phase;
        ended_count := coalesce(ended_count, 0) + 1;
        ended_line[ended_count] := l;
        ended_number[ended_count] := number;
        ended_phase[ended_count] := rule.phase;
      else
        if (line_id[l] is null and line_operations[l] !~ '[^!-~]' and length(line_operations[l]) between 1 and 200
            and scale(line_fees[l]) = 0 and line_fees[l] >= 0
            and sign(to_available[l] + line_fees[l]) = sign(to_available[l])
            and case rule.phase when 'confirmed' then to_available[l] <> 0 and to_frozen[l] = 0
                                when 'confirming' then to_available[l] < 0 and to_frozen[l] = -to_available[l] end)
           is not true then
          raise exception 'ledger: % cannot begin line % of %', rule.name, line_operations[l], line_account[l] >> 14
            using errcode = 'LL001';
        end if;
        line_id[l] := nextval('lode.log_line_id');
        line_phase[l] := rule.phase;
        line_change[l] := to_available[l];
        begun_count := coalesce(begun_count, 0) + 1;
        begun_line[begun_count] := l;
        begun_number[begun_count] := number;
        begun_phase[begun_count] := rule.phase;
      end if;
    end loop;

    -- Nested conditions, because PostgreSQL would prepare the query even if the first half of an "and" is false.
    if rule.same_address then
      if (
        select bool_and(holder.address = member.account)
        from generate_series(first_posting, posting_count) as given (place)
        join lode.suspense_holder holder on holder.owner = locked[posting_slot[given.place]] >> 14
        join lode.member on member.id = members[t]
        where leg_amounts[posting_leg[given.place]] < 0
      ) is not true then
        raise exception 'ledger: % may credit only the member who registered the address', rule.name using errcode = 'LL001';
      end if;
    end if;
    if rule.undoes is not null then
      if not exists (
        select from lode.ledger_transaction undone
        where undone.member = members[t] and undone.key = left(keys[t], -length(':undone')) and undone.type = rule.undoes
          and keys[t] like '%:undone'
          and not exists (
            select from (
              select posting.account & -64, posting.amount from lode.posting where posting.transaction = undone.id
              union all
              select account_id[leg_accounts[given.leg]] & -64, leg_amounts[given.leg]
              from generate_subscripts(leg_transactions, 1) as given (leg) where leg_transactions[given.leg] = t
            ) as both_ways (account, amount)
            group by both_ways.account having sum(both_ways.amount) <> 0
          )
      ) then
        raise exception 'ledger: % does not undo a transaction exactly', rule.name using errcode = 'LL001';
      end if;
    end if;

    posted_count := posted_count + 1;
    outcomes[t] := 'posted';
    numbers[t] := number;
  end loop;
  if leg_transactions[i] is not null or i <= cardinality(leg_transactions) then
    raise exception 'ledger: the legs of a batch are not in the order of its transactions' using errcode = 'LL001';
  end if;

  if together and unposted then
    if outcomes && array['insufficient', 'conflict'] then
      outcomes := array_replace(outcomes, 'posted', 'undone');
      posted_count := 0;
    end if;
  end if;

  -- Write the results. ------------------------------------------------------------------------------------------------

  if posted_count > 0 then
    moment := lode.now();
    insert into lode.ledger_transaction (id, member, key, input_hash, type, posted_at)
    select given.id, given.member, given.key, given.hash, given.type, moment
    from unnest(numbers, members, keys, hashes, types, outcomes) as given (id, member, key, hash, type, outcome)
    where given.outcome = 'posted'
    on conflict (member, key) do nothing;
    get diagnostics affected = row_count;
    if affected <> posted_count then
      raise exception 'ledger: another call used one of these keys at the same moment' using errcode = 'serialization_failure';
    end if;

    insert into lode.posting (member, account, version, transaction, line, amount, balance_after)
    select greatest(locked[given.slot] >> 14, 0), locked[given.slot], given.version, numbers[leg_transactions[given.leg]],
           line_id[leg_lines[given.leg]], coalesce(posting_part[given.place], leg_amounts[given.leg]), given.balance
    from unnest(posting_leg, posting_slot, posting_version, posting_balance) with ordinality
      as given (leg, slot, version, balance, place)
    where given.place <= posting_count;

    update lode.ledger_account
    set balance = given.balance, version = given.version
    from unnest(locked, balances, versions) as given (id, balance, version)
    where ledger_account.id = given.id and ledger_account.version <> given.version;

    if begun_count > 0 then
      insert into lode.log_line (member, asset, id, type, operation, transaction, phase, amount, fee, at)
      select line_account[given.line] >> 14, (line_account[given.line] >> 6) & 3, line_id[given.line], line_types[given.line],
             line_operations[given.line], given.number, given.phase, line_change[given.line] + line_fees[given.line],
             line_fees[given.line], moment
      from unnest(begun_line, begun_number, begun_phase) as given (line, number, phase);
    end if;
    if ended_count > 0 then
      insert into lode.log_closing (member, asset, line, transaction, phase, at)
      select line_account[given.line] >> 14, (line_account[given.line] >> 6) & 3, line_id[given.line], given.number,
             given.phase, moment
      from unnest(ended_line, ended_number, ended_phase) as given (line, number, phase);
    end if;
  end if;

  -- An account exists only if something was posted to it. So remove those that were made for unposted transactions.
  if unposted and new_accounts is not null then
    delete from lode.ledger_account where id = any (new_accounts) and version = 0;
  end if;
  if unposted and new_holders is not null then
    delete from lode.suspense_holder
    where owner = any (new_holders)
      and not exists (
        select from lode.ledger_account
        where id >= suspense_holder.owner << 14 and id < (suspense_holder.owner + 1) << 14);
  end if;

  if transaction_count = 1 then
    return array[concat_ws(' ', outcomes[1], case when outcomes[1] <> 'undone' then numbers[1] end)];
  end if;
  return (
    select array_agg(concat_ws(' ', given.outcome, case when given.outcome <> 'undone' then given.number end) order by given.place)
    from unnest(outcomes, numbers) with ordinality as given (outcome, number, place)
  );
end
$post$;

revoke execute on function lode.post from public;
grant execute on function lode.post to lode_api, lode_worker;
