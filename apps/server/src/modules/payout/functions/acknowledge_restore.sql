set local role lode_payout;

-- Records that the database was compared with the signer's journal and with the chain after a restore. No process may
-- call it.
create or replace function lode.acknowledge_restore(of_journal_lines bigint, of_journal_hash bytea, at_chain_block bigint)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $acknowledge$
begin
  insert into lode.restore_acknowledged (journal_lines, journal_hash, chain_block)
  values (of_journal_lines, of_journal_hash, at_chain_block);
end
$acknowledge$;

revoke execute on function lode.acknowledge_restore from public;
