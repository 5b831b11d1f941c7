import { sql } from 'kysely'
import type { Database } from './database.ts'

/** At most this many examples of each finding. */
const MAX_EXAMPLES = 20

/**
 * Runs checks of the data: SQL statements by the text of their finding. Each statement selects the ids of the members
 * for whom the finding is true. A check must be one statement, so that it sees one snapshot while the pool runs.
 */
export async function collectFindings(db: Database, checks: Readonly<Record<string, string>>): Promise<string[]> {
  const findings: string[] = []
  for (const [finding, statement] of Object.entries(checks)) {
    const { rows } = await sql<{ id: bigint }>`${sql.raw(statement)} limit ${MAX_EXAMPLES}`.execute(db)
    for (const { id } of rows) findings.push(`member ${id} ${finding}`)
  }
  return findings
}
