import { csvText } from '../../shared/csv/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import {
  buildEquation,
  buildPeriodParts,
  buildResultPart,
  buildStatementParts,
  hasEntries,
  hasPeriodEntries,
  type StatementPart,
} from './statement-parts.ts'
import type { PeriodStatement, Statement } from './use-statement.ts'

/** The lines of the screen as rows, in the same order. Amounts have all decimals; deductions are negative. */
export function buildStatementCsv(t: TextFunction, { at, accounts, total }: Statement, account: string): string {
  const head = [t('statement.csv.symbol'), t('statement.csv.part'), t('statement.csv.entry'), t('statement.csv.amount')]
  const all = t('statement.csv.all')
  const totals = [
    ...buildEquation(t, total).map((term) => ({ ...term, entries: [] })),
    buildResultPart(t, total.paidIn, total.result),
  ].flatMap((part) => partRows(t, all, part))
  const without =
    total.without.length > 0 ? [[all, t('wallet.totalWithout', { symbols: total.without.join(', ') })]] : []
  const symbols = accounts
    .filter(hasEntries)
    .flatMap((one) => buildStatementParts(t, one).flatMap((part) => partRows(t, one.symbol, part)))
  return csvText([
    [t('statement.csv.account'), account],
    [t('statement.csv.at'), at],
    head,
    ...totals,
    ...without,
    ...symbols,
  ])
}

/** The lines of a period as rows, in the same order as on the screen. */
export function buildPeriodCsv(t: TextFunction, { at, from, to, accounts }: PeriodStatement, account: string): string {
  return csvText([
    [t('statement.csv.account'), account],
    [t('statement.csv.days'), `${from} – ${to}`],
    [t('statement.csv.at'), at],
    [t('statement.csv.symbol'), t('statement.csv.part'), t('statement.csv.entry'), t('statement.csv.amount')],
    ...accounts
      .filter(hasPeriodEntries)
      .flatMap((one) => buildPeriodParts(t, one).flatMap((part) => partRows(t, one.symbol, part))),
  ])
}

export const periodCsvName = ({ from, to }: PeriodStatement): string => `lode-statement-${from}-${to}.csv`

const partRows = (t: TextFunction, symbol: string, { title, sum, entries }: StatementPart): string[][] => [
  ...(sum ? [[symbol, title, t('statement.csv.inAll'), signed(sum)]] : []),
  ...entries.map((entry) => [symbol, title, entry.name, signed(entry)]),
]

const signed = ({ amount, sign }: { amount: string; sign: string | null }): string =>
  sign === '−' ? `-${amount}` : amount

export const statementCsvName = (at: string): string => `lode-statement-${at.slice(0, 10)}.csv`
