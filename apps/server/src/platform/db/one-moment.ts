import type { Database } from './database.ts'

/**
 * Runs several statements in one snapshot. Without it, each statement would see a later state. Data that one
 * transaction moves between tables could then appear in both, or in neither.
 */
export const inOneMoment = <T>(db: Database, read: (moment: Database) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
