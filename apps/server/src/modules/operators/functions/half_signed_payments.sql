-- The payments, listed addresses and returns that have no outcome and have not expired, and that have a signature of one
-- of these keys: their kind and purpose, never an amount or an address. With `of_verb` only this kind. The caller counts
-- the signatures, as far as it can verify them.
create or replace function lode.half_signed_payments(of_verb text, by_operators bytea[])
returns table (id bigint, verb text, purpose text, body_hash bytea, at timestamptz, expires_at timestamptz)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $half$
  select half.id, half.verb, coalesce(terms ->> 'evidence', terms ->> 'note', ''), half.body_hash, half.at, half.expires_at
  from (
    select * from lode.decision
    where decision.verb in ('list', 'pay', 'return') and (of_verb is null or decision.verb = of_verb)
      and decision.expires_at > lode.now()
      and exists (
        select from lode.decision_signature as given
        where given.decision_id = decision.id and given.operator = any (by_operators))
      and not exists (select from lode.decision_outcome as outcome where outcome.decision_id = decision.id)
    order by decision.id desc limit 1000) as half
  cross join lateral lode.terms_of(half.body) as terms
  order by half.id
$half$;

revoke execute on function lode.half_signed_payments from public;
grant execute on function lode.half_signed_payments to lode_operator;
