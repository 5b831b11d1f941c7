import { sql } from 'kysely'
import type { Database } from './database.ts'

/** At most this many examples of each finding. */
const MOST = 20

/**
 * Runs checks of the data. Each statement selects the ids for which its finding is true, and nothing if all is right.
 * Each is one statement, so that it sees one snapshot while the pool runs.
 */
export async function findingsOf(db: Database, checks: Readonly<Record<string, string>>): Promise<string[]> {
  const findings: string[] = []
  for (const [finding, statement] of Object.entries(checks)) {
    const { rows } = await sql<{ id: bigint }>`${sql.raw(statement)} limit ${MOST}`.execute(db)
    for (const { id } of rows) findings.push(`member ${id} ${finding}`)
  }
  return findings
}
