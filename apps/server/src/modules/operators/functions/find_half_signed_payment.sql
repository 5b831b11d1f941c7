-- The texts of payments and returns with exactly this symbol, amount and address, and of listings with exactly this
-- address, that have no outcome and have not expired. The second operator has typed all of it.
create or replace function lode.find_half_signed_payment(of_verb text, of_asset text, of_amount numeric, of_address bytea)
returns table (id bigint, subject text, body text, expires_at timestamptz)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $find$
  select decision.id, decision.subject, decision.body, decision.expires_at
  from lode.decision
  cross join lateral lode.terms_of(decision.body) as terms
  where of_verb in ('list', 'pay', 'return') and decision.verb = of_verb and decision.expires_at > lode.now()
    and exists (select from lode.decision_signature as given where given.decision_id = decision.id)
    and not exists (select from lode.decision_outcome as outcome where outcome.decision_id = decision.id)
    and lower(terms ->> 'address') = '0x' || encode(of_address, 'hex')
    and (of_verb = 'list' or terms ->> 'symbol' = of_asset and terms ->> 'amount' = of_amount::text)
  order by decision.id limit 200
$find$;

revoke execute on function lode.find_half_signed_payment from public;
grant execute on function lode.find_half_signed_payment to lode_operator;
