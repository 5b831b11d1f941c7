set local role lode_orders;

-- Keeps days from closing until this transaction ends, so that the first day of a new pledge is still open at the
-- commit. Callers take this lock before those of ledger accounts.
create or replace function lode.keep_days_open() returns void
language sql security definer
set search_path = pg_catalog, pg_temp
as $keep$ select pg_advisory_xact_lock_shared(hashtext('lode: production')) $keep$;

revoke execute on function lode.keep_days_open from public;
grant execute on function lode.keep_days_open to lode_api, lode_worker;
