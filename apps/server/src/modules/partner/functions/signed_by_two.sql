set local role lode_orders;

-- Returns the decision that two operators signed, and the time of the second signature. Raises an exception if two have
-- not signed. The database cannot verify the signatures; the worker has verified them.
create or replace function lode.signed_by_two(of_decision bigint, of_verb text, out body jsonb, out signed_at timestamptz, out expired boolean)
language plpgsql
set search_path = pg_catalog, pg_temp
as $signed$
begin
  select decision.body::jsonb, second.at, decision.expires_at <= lode.now() into body, signed_at, expired
  from lode.decision join lode.decision_signature as second on second.decision_id = decision.id and second.place = 2
  where decision.id = of_decision and decision.verb = of_verb and decision.body::jsonb ->> 'verb' = of_verb
    and decision.body::jsonb ->> 'subject' = decision.subject;
  if not found then raise exception 'two operators have not signed % as decision %', of_verb, of_decision; end if;
end
$signed$;

revoke execute on function lode.signed_by_two from public;
grant execute on function lode.signed_by_two to lode_payout;
