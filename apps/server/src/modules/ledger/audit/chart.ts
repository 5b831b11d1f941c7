import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { chartRows } from '../chart-sql.ts'
import type { Findings } from './findings.ts'

/** The chart in the database is the one in the code, row by row and column by column. */
export async function auditChart(inside: Database, findings: Findings): Promise<void> {
  for (const [table, expected] of Object.entries(chartRows())) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(chart) as row from ${sql.id('lode', table)} as chart`.execute(inside)
    const found = new Map(rows.map(({ row }) => [row.code, row]))
    for (const row of expected) {
      if (!isDeepStrictEqual(found.get(row.code), row))
        findings.add('the chart differs from the code', `${table} ${row.name}`)
      found.delete(row.code)
    }
    for (const code of found.keys()) findings.add('the chart differs from the code', `${table} code ${String(code)}`)
  }
}
