import { runMigrations } from 'graphile-worker'
import type pg from 'pg'

/** Creates the tables of the job queue as the owner. The worker may change their rows, but not the tables. */
export async function installJobs(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool })
  await pool.query(`
    grant usage on schema graphile_worker to lode_worker;
    revoke all on all tables in schema graphile_worker from lode_worker;
    revoke all on all sequences in schema graphile_worker from lode_worker;
    grant select on all tables in schema graphile_worker to lode_worker;
    -- Not graphile_worker.migrations: with other rows there, neither the worker nor the next migration would start.
    grant insert, update, delete on
      graphile_worker._private_jobs, graphile_worker._private_job_queues, graphile_worker._private_tasks,
      graphile_worker._private_known_crontabs
      to lode_worker;
    grant execute on all functions in schema graphile_worker to lode_worker;

    -- graphile-worker turns on row level security without a policy. Without one, only the owner can use the rows.
    do $$
    declare
      table_name text;
    begin
      for table_name in
        select relname from pg_catalog.pg_class
        where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
          and not exists (select from pg_catalog.pg_policy where polrelid = pg_class.oid and polname = 'lode_worker')
      loop
        execute format('create policy lode_worker on graphile_worker.%I to lode_worker using (true)', table_name);
      end loop;
    end
    $$;
  `)
}
