set local role lode_ledger;

-- A phase of lode.post: finds the number of every account of a batch, and the rows to lock. A pair is kind and asset
-- together, as in the account number (kind << 2 | asset); pair_holder and pair_log are indexed by it. A slot is a
-- position in "locked", which is ordered by number. The other results are indexed like "accounts". Those of
-- lode.post_find_slots are null in the usual case: the numbers ascend, and nothing is spread over stripes. Then a slot
-- is the same as an account index.
--
-- A debit of an account that divides its credits is taken from one stripe that has enough now ("chose_stripe"). It may
-- have too little when it is locked. With "all_stripes" such a debit may be taken from all of them.
create or replace function lode.post_find_accounts(
  accounts bigint[], addresses bytea[], leg_accounts int[], leg_amounts numeric[], all_stripes boolean,
  out account_id bigint[], out account_pair int[], out pair_holder text[], out pair_log text[],
  out locked bigint[], out account_slot int[], out drained boolean[], out divided boolean[],
  out first_stripe int[], out last_stripe int[], out chose_stripe boolean
)
language plpgsql
as $find$
declare
  base bigint;
  pair int;
  holder_of text;
  floored_as boolean;
  stripes_of int;
  divides_as boolean;
  log_as text;
  pair_floored boolean[];
  pair_stripes int[];
  pair_divides boolean[];
  in_order boolean := true;
  -- Striped accounts with a floor: a debit may take from any of their stripes.
  spreadable boolean[];
  credited boolean[];
  needed numeric[];
begin
  chose_stripe := false;
  for k in 1 .. cardinality(accounts) loop
    base := accounts[k];
    pair := (base >> 6) & 255;
    holder_of := pair_holder[pair];
    if holder_of is null then
      select holder, floored, stripes, divides_credits, log into holder_of, floored_as, stripes_of, divides_as, log_as
      from lode.ledger_kind where code = pair >> 2 and pair & 3 = any (assets);
      if not found then
        raise exception 'ledger: there is no account of kind % in asset %', pair >> 2, pair & 3 using errcode = 'LL001';
      end if;
      pair_holder[pair] := holder_of;
      pair_floored[pair] := floored_as;
      pair_stripes[pair] := stripes_of;
      pair_divides[pair] := divides_as;
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
      base := base + lode.own_stripe(pair_stripes[pair]);
      if pair_floored[pair] then
        spreadable[k] := true;
      end if;
    end if;
    if base <= account_id[k - 1] then
      in_order := false;
    end if;
    account_id[k] := base;
    account_pair[k] := pair;
  end loop;

  if spreadable is not null then
    for i in 1 .. cardinality(leg_accounts) loop
      if spreadable[leg_accounts[i]] then
        if leg_amounts[i] < 0 then
          drained[leg_accounts[i]] := true;
          needed[leg_accounts[i]] := coalesce(needed[leg_accounts[i]], 0) - leg_amounts[i];
        elsif pair_divides[account_pair[leg_accounts[i]]] then
          divided[leg_accounts[i]] := true;
        else
          credited[leg_accounts[i]] := true;
        end if;
      end if;
    end loop;
    for k in 1 .. cardinality(accounts) loop
      if drained[k] and pair_divides[account_pair[k]] and divided[k] is null and not all_stripes then
        -- The connection's own stripe first, then the next one that has enough.
        select id into base
        from lode.ledger_account
        where id between (account_id[k] & -64) and (account_id[k] | 63) and balance - floor >= needed[k]
        order by (id - account_id[k]) & 63 limit 1;
        if found then
          account_id[k] := base;
          drained[k] := null;
          chose_stripe := true;
        end if;
      end if;
    end loop;
  end if;
  if in_order and divided is null and array_position(drained, true) is null then
    locked := account_id;
  else
    select * into locked, account_slot, first_stripe, last_stripe
    from lode.post_find_slots(account_id, drained, credited, divided);
  end if;
end
$find$;

revoke execute on function lode.post_find_accounts from public;
