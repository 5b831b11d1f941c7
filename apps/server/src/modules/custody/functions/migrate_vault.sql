-- Lets the ledger follow the next vault, as two operators decided. The blocks since the first one in which the next vault
-- could hold money are read again, now with its logs too; what is in the ledger is not posted twice. Stops of assets end,
-- and come back if their cause remains. Returns `other-vault` if the ledger does not belong to the vault that moved.
create or replace function lode.migrate_vault(of_decision bigint) returns text
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $migrate$
declare
  decided jsonb := lode.take_decision(of_decision, 'migrate-vault', 2);
  old_vault bytea;
  new_vault bytea;
  back_to bigint;
begin
  if decided is null then return 'done'; end if;
  old_vault := decode(substr(decided ->> 'from', 3), 'hex');
  new_vault := decode(substr(decided ->> 'to', 3), 'hex');
  back_to := (decided ->> 'since')::bigint - 1;
  perform from lode.chain_state where vault = old_vault for update;
  if not found then return 'other-vault'; end if;
  perform lode.end_asset_stops();
  -- They were read without the next vault.
  delete from lode.chain_block;
  update lode.chain_state
  set former_vaults = former_vaults || vault, vault = new_vault,
      posted_hash = case when posted_number > back_to then null else posted_hash end,
      posted_number = least(posted_number, back_to);
  return 'ok';
end
$migrate$;

revoke execute on function lode.migrate_vault from public;
grant execute on function lode.migrate_vault to lode_worker;
