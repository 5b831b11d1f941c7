set local role lode_ledger;

-- A phase of lode.post: raises an exception if the chart does not allow a transaction of the batch, or if its legs do
-- not sum to zero. The legs of a repeated or conflicting transaction are not checked, because it is not posted.
--
-- Returns for each transaction the phase of its lines, for each line one of its accounts, and whether
-- lode.post_check_source must check a transaction.
create or replace function lode.post_check_legs(
  members bigint[], keys text[], hashes bytea[], types smallint[],
  leg_transactions int[], leg_accounts int[], leg_amounts numeric[], leg_lines int[], line_types smallint[],
  account_id bigint[], account_pair int[], pair_holder text[], pair_log text[], outcomes text[],
  out phases lode.log_phase[], out line_account bigint[], out has_source boolean
)
language plpgsql
as $check$
declare
  rule lode.ledger_type;
  own_member bigint;
  sums numeric[];
  i int := 1;
  k int;
  l int;
  pair int;
  base bigint;
  change numeric;
begin
  for t in 1 .. cardinality(keys) loop
    if rule.code is distinct from types[t] then
      select * into rule from lode.ledger_type where code = types[t];
      if not found then
        raise exception 'ledger: there is no transaction type %', types[t] using errcode = 'LL001';
      end if;
      if session_user <> all (rule.roles) then
        raise exception 'ledger: % may not post %', session_user, rule.name using errcode = 'insufficient_privilege';
      end if;
      has_source := has_source or rule.same_address or rule.undoes is not null;
    end if;
    if (keys[t] !~ '[^!-~]' and length(keys[t]) between 1 and 200 and octet_length(hashes[t]) = 32
        and case rule.key_space when 'member' then members[t] > 0 else members[t] = 0 and starts_with(keys[t], rule.key_space || ':') end)
       is not true then
      raise exception 'ledger: % is not a key for % of member %', keys[t], rule.name, members[t] using errcode = 'LL001';
    end if;
    phases[t] := rule.phase;
    if outcomes[t] in ('repeated', 'conflict') then
      while leg_transactions[i] = t loop
        i := i + 1;
      end loop;
      continue;
    end if;

    own_member := members[t];
    sums := array[0, 0, 0]::numeric[];
    while leg_transactions[i] = t loop
      k := leg_accounts[i];
      change := leg_amounts[i];
      pair := account_pair[k];
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
      base := account_id[k];
      if pair_holder[pair] = 'member' and not (rule.credits_others and change > 0) and own_member <> base >> 14 then
        if own_member <> 0 then
          raise exception 'ledger: % of member % may not touch member %', rule.name, own_member, base >> 14 using errcode = 'LL001';
        end if;
        own_member := base >> 14;
      end if;
      l := leg_lines[i];
      if pair_log[pair] is null then
        if (l = 0) is not true then
          raise exception 'ledger: only available and frozen accounts have log lines' using errcode = 'LL001';
        end if;
      else
        if (l > 0 and line_types[l] = any (rule.logs)) is not true then
          raise exception 'ledger: % needs a log line of a type that the chart gives it', rule.name using errcode = 'LL001';
        end if;
        if line_account[l] is null then
          line_account[l] := base;
        elsif line_account[l] >> 14 <> base >> 14 or (line_account[l] >> 6) & 3 <> pair & 3 then
          raise exception 'ledger: a log line is about one member and one asset' using errcode = 'LL001';
        end if;
      end if;
      i := i + 1;
    end loop;
    if 0 <> any (sums) or leg_transactions[i - 1] is distinct from t then
      raise exception 'ledger: % does not sum to zero', rule.name using errcode = 'LL001';
    end if;
  end loop;
  if leg_transactions[i] is not null or i <= cardinality(leg_transactions) then
    raise exception 'ledger: the legs of a batch are not in the order of its transactions' using errcode = 'LL001';
  end if;
end
$check$;

revoke execute on function lode.post_check_legs from public;
