import type { Database } from './database.ts'

/**
 * Several statements that see one and the same moment. Each on its own would see what was committed by then, and what moves from
 * one table to another in one transaction could be found in both, or in neither.
 */
export const inOneMoment = <T>(db: Database, read: (moment: Database) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
