import { type Asset, assets } from '@lode/kernel'
import { accountNumber, SYSTEM } from './account-number.ts'
import { assetCodes, type KindName, kinds, logTypeCodes, roles, type TypeName, types } from './chart.ts'
import { isFastPostable } from './fast-post.ts'

type ChartTable = 'ledger_asset' | 'ledger_log_type' | 'ledger_kind' | 'ledger_type' | 'ledger_move'
export type ChartRow = Readonly<Record<string, string | number | boolean | null | readonly (string | number)[]>>

const typeNames = Object.keys(types) as TypeName[]

/** The chart as rows of its five tables in the database. */
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
      divides_credits: kind.dividesCredits,
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
    ledger_move: typeNames.flatMap((type) =>
      types[type].debits.flatMap((debit) =>
        types[type].credits.flatMap((credit) => fastPostMoves(type, debit, credit)),
      ),
    ),
  }
}

/** The rows of `ledger_move`, from which lode.post_plain reads whether it may post a move; empty if it may not. */
function fastPostMoves(type: TypeName, debit: KindName, credit: KindName): ChartRow[] {
  if (!isFastPostable(type, debit, credit)) return []
  const [rule, from, to] = [types[type], kinds[debit], kinds[credit]]
  return assets
    .filter((asset) => [from, to].every((kind) => (kind.assets as readonly Asset[]).includes(asset)))
    .flatMap((asset) =>
      rule.logs.map((log) => ({
        type: rule.code,
        debit: Number(accountNumber(SYSTEM, debit, asset)),
        credit: Number(accountNumber(SYSTEM, credit, asset)),
        log: logTypeCodes[log],
        roles: rule.roles.map((role) => roles[role]),
        key_of_member: rule.keys === 'member',
        key_start: rule.keys === 'member' ? '' : `${rule.keys}:`,
        debit_of_member: from.holder === 'member',
        debit_stripes: from.stripes,
        phase: rule.phase,
      })),
    )
}

const codesOf = (names: readonly KindName[]): number[] =>
  names.map((name) => kinds[name].code).toSorted((one, other) => one - other)

/** Returns a migration that replaces all rows of the chart tables with the chart of the code. */
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
