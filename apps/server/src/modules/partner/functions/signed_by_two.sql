set local role lode_orders;

-- What two operators signed, and when the second of them did; an error where they did not. Whether the signatures are
-- right the database cannot tell: the worker has verified them.
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
