-- The payments, listed addresses and returns that only one operator has signed: their kind and purpose, never an amount
-- or an address. The signatures are in lode.decision_signature.
create or replace function lode.half_signed_payments()
returns table (id bigint, verb text, purpose text, body_hash bytea, at timestamptz, expires_at timestamptz)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $half$
  select decision.id, decision.verb, coalesce(terms ->> 'evidence', terms ->> 'note', ''), decision.body_hash, decision.at,
         decision.expires_at
  from lode.decision
  cross join lateral lode.terms_of(decision.body) as terms
  where decision.verb in ('list', 'pay', 'return') and decision.expires_at > lode.now()
    and (select count(*) from lode.decision_signature as given where given.decision_id = decision.id) = 1
    and not exists (select from lode.decision_outcome as outcome where outcome.decision_id = decision.id)
  order by decision.id
$half$;

revoke execute on function lode.half_signed_payments from public;
grant execute on function lode.half_signed_payments to lode_operator;
