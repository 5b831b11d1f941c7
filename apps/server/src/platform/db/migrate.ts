import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Profile } from '../config/config.ts'
import { installJobs } from '../jobs/install.ts'
import { connectDatabase, type Database } from './database.ts'
import { setRolePasswords } from './roles.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

type Options = {
  ownerUrl: string
  profile: Profile
  /** Given to the login roles of the three processes. For development and tests. */
  rolePassword?: string
}

/** Brings a database to the present schema and answers with the names of the migrations that it still needed. */
export async function migrate(options: Options): Promise<string[]> {
  const { db, pool, close } = connectDatabase(options.ownerUrl, { name: 'lode migrate', max: 3, patient: true })
  try {
    return await db.connection().execute(async (locked) => {
      // Held until this connection ends: of two runs at once, one does the work and the other then finds it done.
      await sql`select pg_advisory_lock(hashtext('lode migrate'))`.execute(locked)
      const applied = await applyMigrations(db, options.profile)
      await installJobs(pool)
      if (options.rolePassword !== undefined) await setRolePasswords(db, options.rolePassword)
      return applied
    })
  } finally {
    await close()
  }
}

/** One at a time, each in a transaction of its own. */
async function applyMigrations(db: Database, profile: Profile): Promise<string[]> {
  const migrations = await readMigrations(profile)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: 'lode',
    migrationTableName: 'migration',
    migrationLockTableName: 'migration_lock',
  })
  const applied: string[] = []
  for (;;) {
    const { error, results = [] } = await migrator.migrateUp()
    if (error !== undefined) throw error
    if (results.length === 0) return applied
    applied.push(...results.map((result) => result.migrationName))
  }
}

async function readMigrations(profile: Profile): Promise<Record<string, Migration>> {
  const entries = (await migrationNames()).map(async (name): Promise<[string, Migration]> => {
    const statements = await readFile(new URL(`${name}.sql`, FOLDER), 'utf8')
    const up: Migration['up'] = async (db) => {
      // The statements ask for the profile they run under; `true` forgets it with the transaction.
      await sql`select set_config('lode.profile', ${profile}, true)`.execute(db)
      await sql.raw(statements).execute(db)
    }
    return [name, { up }]
  })
  return Object.fromEntries(await Promise.all(entries))
}

const migrationNames = async (): Promise<string[]> =>
  (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -'.sql'.length))

/** What this program needs and the database has not got. What a newer program has added does no harm. */
export async function missingMigrations(db: Database): Promise<string[]> {
  const applied = await db.selectFrom('lode.migration').select('name').execute()
  const names = new Set(applied.map((row) => row.name))
  return (await migrationNames()).filter((name) => !names.has(name))
}
