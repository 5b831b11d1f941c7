import { codeNamed } from '../modules/ledger/index.ts'
import { type MigrateOptions, migrateDatabase } from '../platform/db/migrate.ts'

/** Brings a database to the present tables and functions. */
export const migrate = (options: Omit<MigrateOptions, 'codeNamed'>) => migrateDatabase({ ...options, codeNamed })
