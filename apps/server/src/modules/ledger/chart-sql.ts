import { type Asset, assets } from '@lode/kernel'
import { assetCodes, type KindName, kinds, logTypeCodes, roles, types } from './chart.ts'

type ChartTable = 'ledger_asset' | 'ledger_log_type' | 'ledger_kind' | 'ledger_type' | 'ledger_move'
export type ChartRow = Readonly<Record<string, string | number | boolean | null | readonly (string | number)[]>>

/** The chart as the database holds it: the rows of its five tables. */
export function chartRows(): Record<ChartTable, ChartRow[]> {
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
      key_space: rule.keys,
      phase: rule.phase,
      logs: rule.logs.map((log) => logTypeCodes[log]),
      credits_others: rule.creditsOthers,
      same_address: rule.sameAddress,
      undoes: rule.undoes === null ? null : typeCode(rule.undoes),
    })),
    ledger_move: Object.values(types).flatMap((rule) =>
      rule.debits.flatMap((debit) => rule.credits.flatMap((credit) => plainMoves(rule, debit, credit))),
    ),
  }
}

/** From one account to one other, asset by asset, where lode.post need not look at anything else to know that it is right. */
function plainMoves(rule: (typeof types)[keyof typeof types], debit: KindName, credit: KindName): ChartRow[] {
  const [from, to] = [kinds[debit], kinds[credit]]
  const begins =
    (from.log === null && to.log === null) ||
    (rule.phase === 'confirmed' && from.log === null && to.log === 'available') ||
    (rule.phase === 'confirming' && from.log === 'available' && to.log === 'frozen' && !rule.creditsOthers)
  const asks = rule.undoes !== null || rule.sameAddress || from.holder === 'suspense' || to.holder === 'suspense'
  const takesFromMany = from.stripes > 1 && from.floored
  if (!begins || asks || takesFromMany || debit === credit) return []
  return assets
    .filter((asset) => [from, to].every((kind) => (kind.assets as readonly Asset[]).includes(asset)))
    .map((asset) => ({
      type: rule.code,
      debit: from.code * 4 + assetCodes[asset],
      credit: to.code * 4 + assetCodes[asset],
      roles: rule.roles.map((role) => roles[role]),
      key_space: rule.keys,
      debit_of_member: from.holder === 'member',
      credit_of_member: to.holder === 'member',
      credits_others: rule.creditsOthers,
      debit_stripes: from.stripes,
      credit_stripes: to.stripes,
      line_legs: [to.log === null ? 0 : 1, from.log === null ? 0 : 1],
      phase: to.log === null ? null : rule.phase,
      logs: rule.logs.map((log) => logTypeCodes[log]),
    }))
}

const codesOf = (names: readonly KindName[]): number[] =>
  names.map((name) => kinds[name].code).toSorted((one, other) => one - other)

/** A migration that brings the chart's tables to the present chart, whatever an earlier one left there. */
export function chartSql(): string {
  const tables = Object.entries(chartRows()).map(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {})
    const values = rows.map((row) => `  (${Object.values(row).map(literal).join(', ')})`)
    return [
      `delete from lode.${table};`,
      `insert into lode.${table} (${columns.join(', ')}) values`,
      `${values.join(',\n')};`,
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
