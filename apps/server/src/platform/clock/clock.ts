import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** The product's one clock, `lode.now()`, for code that needs the time before it writes a statement. */
export async function readClock(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select lode.now() as now`.execute(db)
  const [row] = rows
  if (!row) throw new Error('lode.now() returned no row')
  return row.now
}

/** Whether the database's clock can be shifted. Tests shift it; a production process refuses to start with it. */
export async function clockCanBeShifted(db: Database): Promise<boolean> {
  const { rows } = await sql<{ shiftable: boolean }>`
    select to_regclass('lode.clock') is not null or lode.now() <> now() as shiftable`.execute(db)
  return rows[0]?.shiftable ?? true
}
