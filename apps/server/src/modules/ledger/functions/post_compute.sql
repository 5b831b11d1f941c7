set local role lode_ledger;

-- A phase of lode.post: computes the outcome of each transaction and the postings, in memory and in order. It takes the
-- locked balances and returns them changed. A transaction that would break a floor leaves them as they were. Other
-- legs that are not valid do not matter here: lode.post_check_legs refuses them afterwards, when it knows which are to
-- be posted.
--
-- posting_part is set only for a part of a leg: a debit that was taken from several stripes, or a credit that was divided
-- among them.
create or replace function lode.post_compute(
  hashes bytea[], known record, leg_transactions int[], leg_accounts int[], leg_amounts numeric[],
  account record, stored record,
  out balances numeric[], out versions bigint[], out outcomes text[], out numbers bigint[], out posting_count int,
  out posting_leg int[], out posting_slot int[], out posting_version bigint[], out posting_balance numeric[],
  out posting_part numeric[]
)
language plpgsql
as $compute$
declare
  earlier int[] := known.earlier;
  spent_by bigint[] := known.spent_by;
  spent_on bytea[] := known.spent_on;
  account_slot int[] := account.account_slot;
  drained boolean[] := account.drained;
  divided boolean[] := account.divided;
  first_stripe int[] := account.first_stripe;
  last_stripe int[] := account.last_stripe;
  floors numeric[] := stored.floors;
  first_posting int;
  short boolean;
  missing numeric;
  change numeric;
  after numeric;
  i int := 1;
  j int;
  k int;
  s int;
begin
  balances := stored.balances;
  versions := stored.versions;
  posting_count := 0;
  for t in 1 .. cardinality(hashes) loop
    -- Was the key used before, by an earlier transaction of this batch or by a stored one?
    if earlier[t] > 0 or spent_by[t] is not null then
      j := earlier[t];
      while j > 0 and outcomes[j] <> 'posted' loop
        j := earlier[j];
      end loop;
      numbers[t] := case when j > 0 then numbers[j] else spent_by[t] end;
      if numbers[t] is not null then
        outcomes[t] := case when hashes[t] = case when j > 0 then hashes[j] else spent_on[t] end
                            then 'repeated' else 'conflict' end;
        while leg_transactions[i] = t loop
          i := i + 1;
        end loop;
        continue;
      end if;
    end if;

    first_posting := posting_count + 1;
    short := false;
    while leg_transactions[i] = t loop
      k := leg_accounts[i];
      change := leg_amounts[i];
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
      elsif change > 0 and divided[k] then
        missing := change;
        for s in first_stripe[k] .. last_stripe[k] loop
          change := div(missing, last_stripe[k] - s + 1);
          if change > 0 then
            missing := missing - change;
            balances[s] := balances[s] + change;
            versions[s] := versions[s] + 1;
            posting_count := posting_count + 1;
            posting_leg[posting_count] := i;
            posting_slot[posting_count] := s;
            posting_version[posting_count] := versions[s];
            posting_balance[posting_count] := balances[s];
            posting_part[posting_count] := change;
          end if;
        end loop;
      else
        s := coalesce(account_slot[k], k, 0);
        if balances[s] is null then
          raise exception 'ledger: a leg names no account of the batch' using errcode = 'LL001';
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
    else
      outcomes[t] := 'posted';
      numbers[t] := nextval('lode.ledger_transaction_id');
    end if;
  end loop;
end
$compute$;

revoke execute on function lode.post_compute from public;
