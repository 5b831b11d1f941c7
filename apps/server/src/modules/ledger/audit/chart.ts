import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { chartRows } from '../chart-sql.ts'
import type { Findings } from './findings.ts'

/** Compares the chart tables in the database with the chart in the code. */
export async function auditChart(trx: Database, findings: Findings): Promise<void> {
  for (const [table, expected] of Object.entries(chartRows())) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(chart) as row from ${sql.id('lode', table)} as chart`.execute(trx)
    const inCode = new Set(expected.map(serializeRow))
    const inDatabase = new Set(rows.map(({ row }) => serializeRow(row)))
    const onOneSide = [...inCode, ...inDatabase].filter((row) => !(inCode.has(row) && inDatabase.has(row)))
    for (const row of onOneSide) findings.add('the chart differs from the code', `${table} ${row}`)
  }
}

const serializeRow = (row: Readonly<Record<string, unknown>>): string => JSON.stringify(Object.entries(row).toSorted())
