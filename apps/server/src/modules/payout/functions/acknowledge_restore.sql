set local role lode_payout;

-- Carries out the decision of two operators that the database was compared with the signer's journal and with the
-- chain after a restore. The caller stores the second signature in the same transaction. The database cannot verify a
-- signature: the signer does (modules/operators/acknowledged-restores.ts).
create or replace function lode.acknowledge_restore(of_decision bigint) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $acknowledge$
declare
  body jsonb;
begin
  select decision.body::jsonb into body from lode.decision
  where id = of_decision and verb = 'acknowledge-restore' and expires_at > lode.now();
  if not found then raise exception 'decision % acknowledges no restore', of_decision; end if;
  insert into lode.restore_acknowledged (journal_lines, journal_hash, chain_block, decision_id)
  values ((body ->> 'lines')::bigint, decode(body ->> 'journal', 'hex'), (body ->> 'block')::bigint, of_decision);
end
$acknowledge$;

revoke execute on function lode.acknowledge_restore from public;
grant execute on function lode.acknowledge_restore to lode_operator;
