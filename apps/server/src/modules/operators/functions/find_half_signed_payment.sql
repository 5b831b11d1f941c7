-- The texts of half-signed payments and returns with exactly this symbol, amount and address, and of half-signed
-- listings with exactly this address. The second operator has typed all of it.
create or replace function lode.find_half_signed_payment(of_verb text, of_asset text, of_amount numeric, of_address bytea)
returns table (id bigint, subject text, body text, expires_at timestamptz)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $find$
  select decision.id, decision.subject, decision.body, decision.expires_at
  from lode.half_signed_payments() as half
  join lode.decision on decision.id = half.id
  cross join lateral lode.terms_of(decision.body) as terms
  where half.verb = of_verb and lower(terms ->> 'address') = '0x' || encode(of_address, 'hex')
    and (of_verb = 'list' or terms ->> 'symbol' = of_asset and terms ->> 'amount' = of_amount::text)
  order by decision.id
$find$;

revoke execute on function lode.find_half_signed_payment from public;
grant execute on function lode.find_half_signed_payment to lode_operator;
