import type { Database } from './database.ts'

/**
 * Runs several statements in one snapshot. Otherwise each statement would see a later state than the one before. A row
 * that another transaction moves between tables could then appear in both tables, or in neither.
 */
export const readInSnapshot = <T>(db: Database, read: (snapshot: Database) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
