set local role lode_ledger;

-- The changes that undo a ledger transaction now: the opposite of each, but never more than the account has. What the
-- account lacks is missing from now on, in pool:loss.
create or replace function lode.reversal_legs(of_transaction bigint) returns table (account bigint, amount numeric)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $legs$
begin
  return query
  with changed as (
    select opposite.account, opposite.amount as wanted,
           -- An account that many commands credit in one stripe each is the pool's own. It must have all of it.
           case when opposite.amount < 0 and kind.floored and (kind.stripes = 1 or kind.divides_credits)
                then greatest(opposite.amount, -stored.balance) else opposite.amount end as possible
    from lode.opposite_legs(of_transaction) opposite
    join lode.ledger_kind kind on kind.code = (opposite.account >> 8) & 63
    cross join lateral (
      select coalesce(sum(stripe.balance), 0) as balance
      from lode.ledger_account stripe where stripe.id between opposite.account and opposite.account | 63
    ) stored
  ), leg (account, amount) as (
    select changed.account, changed.possible from changed
    union all
    select (:kind.pool:loss << 8) | (changed.account & 192), changed.wanted - changed.possible from changed
  )
  select leg.account, sum(leg.amount) from leg group by 1 having sum(leg.amount) <> 0 order by 1;
end
$legs$;

revoke execute on function lode.reversal_legs from public;
