import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Of each, enough to begin with. */
const MOST = 20

/**
 * What is wrong, by statements that each select the number of a member of whom it is true; nothing where all is right. Each is
 * one statement, so that it sees one moment, while the pool goes on.
 */
export async function findingsOf(db: Database, checks: Readonly<Record<string, string>>): Promise<string[]> {
  const findings: string[] = []
  for (const [finding, statement] of Object.entries(checks)) {
    const { rows } = await sql<{ id: bigint }>`${sql.raw(statement)} limit ${MOST}`.execute(db)
    for (const { id } of rows) findings.push(`member ${id} ${finding}`)
  }
  return findings
}
