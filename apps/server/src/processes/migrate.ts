import { codeNamed } from '../modules/ledger/index.ts'
import { type MigrateOptions, migrateDatabase } from '../platform/db/migrate.ts'

/** Applies all missing migrations and functions. */
export const migrate = (options: Omit<MigrateOptions, 'codeNamed'>) => migrateDatabase({ ...options, codeNamed })
