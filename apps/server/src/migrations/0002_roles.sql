-- One role per process, so that what a stolen process can do is what its role may do. Roles belong to the cluster, not to
-- this database: another database may be creating them at this very moment, and whoever comes second takes what is there.
do $$
declare
  process_role text;
begin
  foreach process_role in array array['lode_api', 'lode_worker', 'lode_signer'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = process_role) then
      begin
        execute format('create role %I login nosuperuser nocreatedb nocreaterole noinherit', process_role);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
    execute format('grant usage on schema lode to %I', process_role);
    execute format('grant select on lode.migration to %I', process_role);
    if to_regclass('lode.clock') is not null then
      execute format('grant select on lode.clock to %I', process_role);
    end if;
  end loop;
end
$$;
