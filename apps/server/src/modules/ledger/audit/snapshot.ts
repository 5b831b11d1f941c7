import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'

/**
 * Opens transactions on several connections that all see the same snapshot, and calls `work` with them. The pool of `db`
 * must have that many connections.
 */
export function inOneSnapshot<T>(
  db: Database,
  connections: number,
  work: (transactions: readonly Database[]) => Promise<T>,
): Promise<T> {
  const begin = () => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return begin().execute(async (first) => {
    if (connections <= 1) return work([first])
    const { rows } = await sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`.execute(first)
    const snapshot = rows[0]?.snapshot
    if (!snapshot) throw new Error('the database did not export its snapshot')
    const openOthers = (opened: readonly Database[]): Promise<T> =>
      opened.length === connections
        ? work(opened)
        : begin().execute(async (trx) => {
            await sql`set transaction snapshot ${sql.lit(snapshot)}`.execute(trx)
            return openOthers([...opened, trx])
          })
    return openOthers([first])
  })
}
