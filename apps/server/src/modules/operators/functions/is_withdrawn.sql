-- Whether one of its signers has withdrawn this decision.
create or replace function lode.is_withdrawn(of_decision bigint) returns boolean
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $withdrawn$
  select exists (
    select from lode.decision as withdrawal
    join lode.decision_signature as given on given.decision_id = withdrawal.id
    join lode.decision_signature as first on first.operator = given.operator and first.decision_id = of_decision
    where withdrawal.subject = 'decision:' || of_decision and withdrawal.verb = 'withdraw')
$withdrawn$;

revoke execute on function lode.is_withdrawn from public;
grant execute on function lode.is_withdrawn to lode_operator;
