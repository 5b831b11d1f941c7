set local role lode_orders;

-- Whether a plan sells this: a level at its price, with its power and its airdrop; or a pledge of whole BTN, above the
-- minimum, for one of the plan's terms, with the weight that follows from the term.
create or replace function lode.is_sold_by_plan(
  of_plan int, of_type int, of_asset text, of_amount numeric, quote_minutes int, of_level int, of_power numeric, of_airdrop numeric,
  of_term_days int, of_term_weight int, of_weight numeric
) returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $sold$
declare
  terms jsonb;
  usdt numeric;
  btn numeric;
  sold jsonb;
begin
  select plan.body::jsonb, ('1e' || usdt_token.decimals)::numeric, ('1e' || btn_token.decimals)::numeric
  into terms, usdt, btn
  from lode.plan, lode.token usdt_token, lode.token btn_token
  where plan.version = of_plan and usdt_token.asset = 'USDT' and btn_token.asset = 'BTN';
  if quote_minutes is distinct from (terms -> 'quoteMinutes')::int then return false; end if;
  -- The scale must be 0: 5.0 equals 5 here, but the code that reads the value back accepts no decimal point.
  case of_type
    when :order.promotion then
      sold := terms -> 'levels' -> of_level;
      return of_level > 0 and of_asset = 'USDT' and of_amount = (sold ->> 'price')::numeric * usdt
        and scale(of_power) = 0 and of_power = (sold -> 'power')::numeric
        and scale(of_airdrop) = 0 and of_airdrop = (sold ->> 'airdrop')::numeric * btn;
    when :order.pledge then
      sold := (select term from jsonb_array_elements(terms -> 'pledgeTerms') term where (term -> 'days')::int = of_term_days);
      return of_asset = 'BTN' and mod(of_amount, btn) = 0 and of_amount > (terms ->> 'pledgeAbove')::numeric * btn
        and of_term_weight = (sold -> 'weight')::int
        and scale(of_weight) = 0 and of_weight = div(of_amount, btn) * of_term_weight;
    else
      return false;
  end case;
end
$sold$;

revoke execute on function lode.is_sold_by_plan from public;
