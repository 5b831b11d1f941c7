set local role lode_payout;

-- Records that a decision was carried out without a payout, or why it could not be. False if it already has an outcome.
create or replace function lode.note_decision_outcome(of_decision bigint, why_not text) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $note$
begin
  insert into lode.decision_outcome (decision_id, reason) values (of_decision, left(why_not, 300)) on conflict do nothing;
  return found;
end
$note$;

revoke execute on function lode.note_decision_outcome from public;
grant execute on function lode.note_decision_outcome to lode_worker;
