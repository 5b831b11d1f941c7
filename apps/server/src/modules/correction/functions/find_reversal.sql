set local role lode_ledger;

-- What undoing a posting would mean: the ledger transaction, its type, asset and amount, and the member from whom it is
-- taken, if any. `problem` is null if it can be undone; otherwise:
--   unknown   there is no such posting
--   caused    it has a valid cause
--   answered  it was undone before
--   kind      it moved money of several members, or money that is frozen, pledged or unclaimed, or it is a reversal itself
create or replace function lode.find_reversal(
  of_member bigint, of_key text,
  out problem text, out transaction bigint, out type text, out asset text, out amount numeric, out holder bigint
)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $find$
declare
  posted lode.ledger_transaction;
  is_reversible boolean;
begin
  select * into posted from lode.ledger_transaction as made where made.member = of_member and made.key = of_key;
  if not found then problem := 'unknown'; return; end if;
  transaction := posted.id;
  type := (select name from lode.ledger_type where code = posted.type);
  select min(symbol.name), sum(posting.amount) filter (where posting.amount > 0),
         max(posting.account >> 14) filter (where kind.holder = 'member'),
         count(distinct symbol.code) = 1
         and count(distinct posting.account >> 14) filter (where kind.holder = 'member') <= 1
         and bool_and(kind.code = any (case when posting.amount < 0 then rule.credits else rule.debits || :kind.dividend:funded::smallint end))
  into asset, amount, holder, is_reversible
  from lode.posting
  join lode.ledger_kind kind on kind.code = (posting.account >> 8) & 63
  join lode.ledger_asset symbol on symbol.code = (posting.account >> 6) & 3
  join lode.ledger_type rule on rule.code = :type.reverse
  where posting.transaction = posted.id;
  problem := case
    when not lode.is_false(posted) then 'caused'
    when exists (select from lode.correction where answers = posted.id) then 'answered'
    when is_reversible is not true then 'kind'
  end;
end
$find$;

revoke execute on function lode.find_reversal from public;
grant execute on function lode.find_reversal to lode_worker, lode_operator, lode_signer;
