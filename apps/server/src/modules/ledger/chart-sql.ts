import { assetCodes, type KindName, kinds, logTypeCodes, roles, types } from './chart.ts'

export type ChartRow = Readonly<Record<string, string | number | boolean | null | readonly (string | number)[]>>

/** The chart as the database holds it: the rows of its four tables, by code. */
export function chartRows(): Record<'ledger_asset' | 'ledger_log_type' | 'ledger_kind' | 'ledger_type', ChartRow[]> {
  const typeCode = (name: string) => Object.entries(types).find(([other]) => other === name)?.[1].code ?? null
  return {
    ledger_asset: Object.entries(assetCodes).map(([name, code]) => ({ code, name })),
    ledger_log_type: Object.entries(logTypeCodes).map(([name, code]) => ({ code, name })),
    ledger_kind: Object.entries(kinds).map(([name, kind]) => ({
      code: kind.code,
      name,
      holder: kind.holder,
      assets: kind.assets.map((asset) => assetCodes[asset]),
      floored: kind.floored,
      stripes: kind.stripes,
      log: kind.log,
    })),
    ledger_type: Object.entries(types).map(([name, rule]) => ({
      code: rule.code,
      name,
      roles: rule.roles.map((role) => roles[role]),
      debits: codesOf(rule.debits),
      credits: codesOf(rule.credits),
      keys: rule.keys,
      phase: rule.phase,
      logs: rule.logs.map((log) => logTypeCodes[log]),
      credits_others: rule.creditsOthers,
      same_address: rule.sameAddress,
      undoes: rule.undoes === null ? null : typeCode(rule.undoes),
    })),
  }
}

const codesOf = (names: readonly KindName[]): number[] =>
  names.map((name) => kinds[name].code).toSorted((one, other) => one - other)

/** A migration that brings the chart tables to the present chart, from whatever an earlier one left there. */
export function chartSql(): string {
  const tables = Object.entries(chartRows()).map(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {})
    const values = rows.map((row) => `  (${Object.values(row).map(literal).join(', ')})`)
    const updates = columns.filter((column) => column !== 'code').map((column) => `${column} = excluded.${column}`)
    return [
      `insert into lode.${table} (${columns.join(', ')}) values`,
      values.join(',\n'),
      `on conflict (code) do update set ${updates.join(', ')};`,
    ].join('\n')
  })
  return [
    '-- Written by chart-sql.ts from chart.ts.',
    'set local role lode_ledger;',
    ...tables,
    'reset role;',
    '',
  ].join('\n\n')
}

function literal(value: ChartRow[string]): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `'${value}'`
  return typeof value === 'object' ? `'{${value.join(',')}}'` : String(value)
}

if (import.meta.main) process.stdout.write(chartSql())
