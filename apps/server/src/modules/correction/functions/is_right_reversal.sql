set local role lode_ledger;

-- Whether a reversal undoes a posting whose cause is false, 72 hours after two operators announced it, and exactly: it
-- takes back what was credited, but no more than the account had; only what the account lacked is missing.
create or replace function lode.is_right_reversal(posted lode.ledger_transaction) returns boolean
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $right$
declare
  undone lode.ledger_transaction;
begin
  select made.* into undone
  from lode.correction decided
  join lode.reversal on reversal.decision_id = decided.decision_id and reversal.transaction = decided.answers
  join lode.ledger_transaction made on made.id = decided.answers
  where decided.key = posted.key and decided.kind = 'reverse' and posted.member = 0 and reversal.due_at <= posted.posted_at;
  if not found or not lode.is_false(undone) then return false; end if;
  return (
    with made as (
      select posting.account & -64 as account, sum(posting.amount) as amount
      from lode.posting where posting.transaction = posted.id group by 1
    ), compared as (
      select coalesce(opposite.account, made.account) as account,
             coalesce(opposite.amount, 0) as wanted, coalesce(made.amount, 0) as made
      from lode.opposite_legs(undone.id) opposite full join made on made.account = opposite.account
    )
    -- The sum of all legs is zero, so what is missing in pool:loss follows from the others.
    select bool_and(compared.wanted = compared.made
                    or compared.wanted < compared.made and compared.made <= 0 and kind.floored and (kind.stripes = 1 or kind.divides_credits)
                       and 0 = (select sum(held.balance_after)
                                from generate_series(compared.account, compared.account + kind.stripes - 1) stripe,
                                lateral (select posting.balance_after from lode.posting
                                         where posting.member = greatest(compared.account >> 14, 0) and posting.account = stripe
                                           and posting.transaction <= posted.id
                                         order by posting.version desc limit 1) held))
    from compared join lode.ledger_kind kind on kind.code = (compared.account >> 8) & 63
    where kind.code <> :kind.pool:loss);
end
$right$;

revoke execute on function lode.is_right_reversal from public;
