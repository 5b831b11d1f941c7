-- What was stored with the key of this decision's first signer to withdraw it. A withdrawal names the decision by the
-- hash of its text. Nobody knows that hash before the decision is signed, so none can be stored in advance. The database
-- cannot verify signatures: the caller does.
create or replace function lode.withdrawals_of(of_decision bigint)
returns table (body text, body_hash bytea, operator bytea, signature bytea)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $withdrawals$
  select withdrawal.body, decision.body_hash, given.operator, given.signature
  from lode.decision
  join lode.decision_signature as first on first.decision_id = decision.id and first.place = 1
  join lode.decision as withdrawal on withdrawal.subject = 'decision:' || decision.id and withdrawal.verb = 'withdraw'
  join lode.decision_signature as given on given.decision_id = withdrawal.id and given.operator = first.operator
  where decision.id = of_decision
    and strpos(withdrawal.body, '"text":"' || encode(decision.body_hash, 'hex') || '"') > 0
  order by withdrawal.id limit 20
$withdrawals$;

revoke execute on function lode.withdrawals_of from public;
grant execute on function lode.withdrawals_of to lode_api, lode_worker, lode_operator;
