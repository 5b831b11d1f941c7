-- Queues the job that carries out decisions when this transaction commits. Several calls queue it once.
create or replace function lode.wake_for_decisions() returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $wake$
begin
  perform graphile_worker.add_job('apply-decisions', job_key => 'apply-decisions');
end
$wake$;

revoke execute on function lode.wake_for_decisions from public;
grant execute on function lode.wake_for_decisions to lode_operator;
