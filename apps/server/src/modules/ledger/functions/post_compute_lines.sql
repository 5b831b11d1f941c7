set local role lode_ledger;

-- A phase of lode.post: finds which log lines the posted transactions begin and end. A line begins with a change of the
-- available balance. If it begins as confirming, the same amount is frozen. The frozen amount leaves once, in full, and
-- that ends the line.
--
-- line_id, line_change and line_fee are indexed like "line_types". The other results list the lines that begin and end,
-- each with its transaction.
create or replace function lode.post_compute_lines(
  types smallint[], phases lode.log_phase[], outcomes text[],
  leg_transactions int[], leg_accounts int[], leg_amounts numeric[], leg_lines int[],
  line_types smallint[], line_operations text[], line_fees numeric[], line_account bigint[],
  account_pair int[], pair_log text[],
  out line_id bigint[], out line_change numeric[], out line_fee numeric[],
  out begun_line int[], out begun_in int[], out ended_line int[], out ended_in int[]
)
language plpgsql
as $lines$
declare
  line_phase lode.log_phase[];
  -- What the present transaction changes.
  touched int[];
  touched_count int;
  touched_in int[];
  to_available numeric[];
  to_frozen numeric[];
  begun_count int;
  ended_count int;
  stored record;
  phase lode.log_phase;
  i int := 1;
  l int;
begin
  for t in 1 .. cardinality(outcomes) loop
    touched_count := 0;
    while leg_transactions[i] = t loop
      l := leg_lines[i];
      if l > 0 and outcomes[t] = 'posted' then
        if touched_in[l] is distinct from t then
          touched_in[l] := t;
          touched_count := touched_count + 1;
          touched[touched_count] := l;
          to_available[l] := 0;
          to_frozen[l] := 0;
        end if;
        if pair_log[account_pair[leg_accounts[i]]] = 'available' then
          to_available[l] := to_available[l] + leg_amounts[i];
        else
          to_frozen[l] := to_frozen[l] + leg_amounts[i];
        end if;
      end if;
      i := i + 1;
    end loop;

    phase := phases[t];
    for j in 1 .. touched_count loop
      l := touched[j];
      if to_frozen[l] < 0 then
        if line_id[l] is null then
          select line.id, coalesce(closing.phase, line.phase) as phase, line.amount - line.fee as change, line.fee
          into stored
          from lode.log_line line
          left join lode.log_closing closing
            on closing.member = line.member and closing.asset = line.asset and closing.line = line.id
          where line.member = line_account[l] >> 14 and line.asset = (line_account[l] >> 6) & 3
            and line.type = line_types[l] and line.operation = line_operations[l];
          line_id[l] := stored.id;
          line_phase[l] := stored.phase;
          line_change[l] := stored.change;
          line_fee[l] := stored.fee;
        end if;
        if (line_phase[l] = 'confirming' and to_frozen[l] = line_change[l]
            and case phase when 'confirmed' then to_available[l] = 0
                           when 'canceled' then to_available[l] = -line_change[l] end) is not true then
          raise exception 'ledger: % cannot end line % of %', (select name from lode.ledger_type where code = types[t]),
            line_operations[l], line_account[l] >> 14 using errcode = 'LL001';
        end if;
        ended_count := coalesce(ended_count, 0) + 1;
        ended_line[ended_count] := l;
        ended_in[ended_count] := t;
      else
        if (line_id[l] is null and line_operations[l] !~ '[^!-~]' and length(line_operations[l]) between 1 and 200
            and scale(line_fees[l]) = 0 and line_fees[l] >= 0
            and sign(to_available[l] + line_fees[l]) = sign(to_available[l])
            and case phase when 'confirmed' then to_available[l] <> 0 and to_frozen[l] = 0
                           when 'confirming' then to_available[l] < 0 and to_frozen[l] = -to_available[l] end)
           is not true then
          raise exception 'ledger: % cannot begin line % of %', (select name from lode.ledger_type where code = types[t]),
            line_operations[l], line_account[l] >> 14 using errcode = 'LL001';
        end if;
        line_id[l] := nextval('lode.log_line_id');
        line_change[l] := to_available[l];
        line_fee[l] := line_fees[l];
        begun_count := coalesce(begun_count, 0) + 1;
        begun_line[begun_count] := l;
        begun_in[begun_count] := t;
      end if;
      line_phase[l] := phase;
    end loop;
  end loop;
end
$lines$;

revoke execute on function lode.post_compute_lines from public;
