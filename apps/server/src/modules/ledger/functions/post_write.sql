set local role lode_ledger;

-- A phase of lode.post: writes the posted transactions, their postings, the new balances, the log lines that begin, the
-- closings of those that end, and the sums by day. Returns the number of transactions.
create or replace function lode.post_write(
  members bigint[], keys text[], hashes bytea[], types smallint[], outcomes text[],
  leg_transactions int[], leg_amounts numeric[], leg_lines int[],
  line_types smallint[], line_operations text[], locked bigint[],
  computed record, checked record, line record
) returns int
language plpgsql
as $write$
declare
  moment timestamptz := lode.now();
  numbers bigint[] := computed.numbers;
  phases lode.log_phase[] := checked.phases;
  line_id bigint[] := line.line_id;
  line_account bigint[] := checked.line_account;
  line_change numeric[] := line.line_change;
  line_fee numeric[] := line.line_fee;
  posting_part numeric[] := computed.posting_part;
  affected int;
begin
  insert into lode.ledger_transaction (id, member, key, input_hash, type, posted_at)
  select given.id, given.member, given.key, given.hash, given.type, moment
  from unnest(numbers, members, keys, hashes, types, outcomes) as given (id, member, key, hash, type, outcome)
  where given.outcome = 'posted'
  on conflict (member, key) do nothing;
  get diagnostics affected = row_count;
  if affected <> cardinality(array_positions(outcomes, 'posted')) then
    raise exception 'ledger: another call used one of these keys at the same moment' using errcode = 'serialization_failure';
  end if;

  insert into lode.posting (member, account, version, transaction, line, amount, balance_after)
  select greatest(locked[given.slot] >> 14, 0), locked[given.slot], given.version, numbers[leg_transactions[given.leg]],
         line_id[leg_lines[given.leg]], coalesce(posting_part[given.place], leg_amounts[given.leg]), given.balance
  from unnest(computed.posting_leg, computed.posting_slot, computed.posting_version, computed.posting_balance) with ordinality
    as given (leg, slot, version, balance, place)
  where given.place <= computed.posting_count;

  update lode.ledger_account
  set balance = given.balance, version = given.version
  from unnest(locked, computed.balances, computed.versions) as given (id, balance, version)
  where ledger_account.id = given.id and ledger_account.version <> given.version;

  if line.begun_line is not null then
    insert into lode.log_line (member, asset, id, type, operation, transaction, phase, amount, fee, at)
    select line_account[given.place] >> 14, (line_account[given.place] >> 6) & 3, line_id[given.place], line_types[given.place],
           line_operations[given.place], numbers[given.transaction], phases[given.transaction],
           line_change[given.place] + line_fee[given.place], line_fee[given.place], moment
    from unnest(line.begun_line, line.begun_in) as given (place, transaction);
  end if;
  if line.ended_line is not null then
    insert into lode.log_closing (member, asset, line, transaction, phase, at)
    select line_account[given.place] >> 14, (line_account[given.place] >> 6) & 3, line_id[given.place],
           numbers[given.transaction], phases[given.transaction], moment
    from unnest(line.ended_line, line.ended_in) as given (place, transaction);
  end if;
  insert into lode.ledger_day_sum as kept (member, asset, type, day, amount, fee)
  select line_account[given.place] >> 14, (line_account[given.place] >> 6) & 3, line_types[given.place],
         floor(extract(epoch from moment) / 86400), sum(line_change[given.place] + line_fee[given.place]), sum(line_fee[given.place])
  from unnest(line.begun_line || line.ended_line, line.begun_in || line.ended_in) as given (place, transaction)
  where phases[given.transaction] = 'confirmed'
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (member, asset, type, day) do update set amount = kept.amount + excluded.amount, fee = kept.fee + excluded.fee;
  return affected;
end
$write$;

revoke execute on function lode.post_write from public;
