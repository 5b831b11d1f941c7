import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Profile } from '../config/config.ts'
import { installJobs } from '../jobs/install.ts'
import { applyFunctions, findMissingFunctions } from './apply-functions.ts'
import { connectDatabase, type Database } from './database.ts'
import { readFunctionFiles } from './function-files.ts'
import { type CodeLookup, replaceCodeNames } from './named-codes.ts'
import { setRolePasswords } from './roles.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

export type MigrateOptions = {
  ownerUrl: string
  profile: Profile
  /** Returns the number of a code's name in SQL files. */
  codeNamed: CodeLookup
  /** The password for the four login roles: api, worker, signer and operator. For development and tests. */
  rolePassword?: string
}

type Applied = { readonly migrations: readonly string[]; readonly functions: readonly string[] }

/** Applies all missing migrations and functions, and returns them. */
export async function migrateDatabase(options: MigrateOptions): Promise<Applied> {
  const { db, pool, close } = connectDatabase(options.ownerUrl, { name: 'lode migrate', max: 3, noTimeouts: true })
  try {
    return await db.connection().execute(async (locked) => {
      // The lock is held until this connection ends. If two runs start at once, the second then finds the work done.
      await sql`select pg_advisory_lock(hashtext('lode migrate'))`.execute(locked)
      const migrations = await applyMigrations(db, options)
      await installJobs(pool)
      const functions = await applyFunctions(db, await readFunctionFiles(options.codeNamed))
      if (options.rolePassword !== undefined) await setRolePasswords(db, options.rolePassword)
      return { migrations, functions }
    })
  } finally {
    await close()
  }
}

/** Applies the missing migrations, each in its own transaction. */
async function applyMigrations(db: Database, options: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(options)
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

async function readMigrations({ profile, codeNamed }: MigrateOptions): Promise<Record<string, Migration>> {
  const entries = (await readMigrationNames()).map(async (name): Promise<[string, Migration]> => {
    const statements = replaceCodeNames(await readFile(new URL(`${name}.sql`, FOLDER), 'utf8'), codeNamed)
    const up: Migration['up'] = async (db) => {
      // The migrations read the profile from this setting. `true` limits it to the transaction.
      await sql`select set_config('lode.profile', ${profile}, true)`.execute(db)
      await sql.raw(statements).execute(db)
    }
    return [name, { up }]
  })
  return Object.fromEntries(await Promise.all(entries))
}

const readMigrationNames = async (): Promise<string[]> =>
  (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -'.sql'.length))

/**
 * Returns the migrations and functions that this program needs and that were never applied to this database. It does
 * not report migrations or function versions of a newer program.
 */
export async function findMissingMigrations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from lode.migration`.execute(db)
  const names = new Set(rows.map((row) => row.name))
  const missing = (await readMigrationNames()).filter((name) => !names.has(name))
  // A migration creates lode.function_version, so it can be read only if no migration is missing.
  return missing.length > 0 ? missing : (await findMissingFunctions(db)).map((name) => `function ${name}`)
}
