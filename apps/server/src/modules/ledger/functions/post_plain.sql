set local role lode_ledger;

-- The fast path for most commands and deposits: one move that begins one log line of one member, without a fee. If
-- the move can be posted, the function posts it with half the work of lode.post and returns the transaction number. In
-- every other case, such as a used key or too little money in this stripe, it changes nothing and returns null. The caller then calls
-- lode.post.
--
-- It updates the accounts in the order of their numbers and then the sum by day, which is the order in which lode.post
-- locks them. It finds a used key only at the insert. Then it sets both accounts back. If another connection empties the
-- stripe while this one waits for it, the stripe stays locked, and lode.post may then lock stripes before it: a deadlock
-- is possible while an account is nearly empty. PostgreSQL ends it, and the command can be sent again.
create or replace function lode.post_plain(
  given_member bigint, given_key text, given_hash bytea, given_type smallint,
  given_debit smallint, given_credit smallint, given_amount numeric, given_log smallint, given_operation text
) returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $plain$
declare
  key_member bigint;
  debited bigint;
  credited bigint;
  line_phase lode.log_phase;
  debit_balance numeric;
  debit_version bigint;
  credit_balance numeric;
  credit_version bigint;
  number bigint;
  moment timestamptz;
  line bigint;
begin
  -- All checks are in one statement, because starting another statement costs more than the checks. A wrong member
  -- needs no check: the account number computed from it does not exist, so the update finds no row.
  select case when key_of_member then given_member else 0 end,
         case when debit_of_member then given_member << 14 else 0 end + debit + lode.own_stripe(debit_stripes),
         (given_member << 14) + credit,
         phase
  into key_member, debited, credited, line_phase
  from lode.ledger_move
  where type = given_type and debit = given_debit and credit = given_credit and log = given_log
    and session_user = any (roles)
    and starts_with(given_key, key_start) and given_key ~ '^[!-~]+$' and length(given_key) <= 200
    and octet_length(given_hash) = 32
    and given_operation ~ '^[!-~]+$' and length(given_operation) <= 200
    -- The program can represent amounts below 2 to the 128th. The scale of NaN is null, so NaN is refused too.
    and scale(given_amount) = 0 and given_amount > 0 and given_amount < 340282366920938463463374607431768211456;
  if not found then
    return null;
  end if;

  if debited < credited then
    update lode.ledger_account set balance = balance - given_amount, version = version + 1
    where id = debited and (balance - given_amount >= floor) is not false
    returning balance, version into debit_balance, debit_version;
    if found then
      update lode.ledger_account set balance = balance + given_amount, version = version + 1
      where id = credited
      returning balance, version into credit_balance, credit_version;
    end if;
  else
    update lode.ledger_account set balance = balance + given_amount, version = version + 1
    where id = credited
    returning balance, version into credit_balance, credit_version;
    if found then
      update lode.ledger_account set balance = balance - given_amount, version = version + 1
      where id = debited and (balance - given_amount >= floor) is not false
      returning balance, version into debit_balance, debit_version;
    end if;
  end if;

  if found then
    insert into lode.ledger_transaction (id, member, key, input_hash, type, posted_at)
    values (nextval('lode.ledger_transaction_id'), key_member, given_key, given_hash, given_type, lode.now())
    on conflict (member, key) do nothing
    returning id, posted_at into number, moment;
    if found then
      insert into lode.log_line (member, asset, id, type, operation, transaction, phase, amount, fee, at)
      values (given_member, (given_credit >> 6) & 3, nextval('lode.log_line_id'), given_log, given_operation, number, line_phase,
              case line_phase when 'confirmed' then given_amount else -given_amount end, 0, moment)
      returning id into line;
      insert into lode.posting (member, account, version, transaction, line, amount, balance_after)
      values (debited >> 14, debited, debit_version, number, case line_phase when 'confirming' then line end, -given_amount,
              debit_balance),
             (given_member, credited, credit_version, number, line, given_amount, credit_balance);
      if line_phase = 'confirmed' then
        insert into lode.ledger_day_sum as kept (member, asset, type, day, amount, fee)
        values (given_member, (given_credit >> 6) & 3, given_log, floor(extract(epoch from moment) / 86400), given_amount, 0)
        on conflict (member, asset, type, day) do update set amount = kept.amount + excluded.amount;
      end if;
      return number;
    end if;
  end if;

  update lode.ledger_account set balance = debit_balance + given_amount, version = debit_version - 1
  where id = debited and version = debit_version;
  update lode.ledger_account set balance = credit_balance - given_amount, version = credit_version - 1
  where id = credited and version = credit_version;
  return null;
end
$plain$;

revoke execute on function lode.post_plain from public;
grant execute on function lode.post_plain to lode_api, lode_worker;
