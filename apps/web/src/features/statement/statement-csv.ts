import type { TFunction } from 'i18next'
import { csvText } from '../../shared/csv/index.ts'
import { isUsed, type Part, partsOf, resultPart, termsOf } from './entries.ts'
import type { Statement } from './use-statement.ts'

/** The lines of the screen as rows, in the same order. Amounts have all decimals; deductions are negative. */
export function statementCsv(t: TFunction, { at, accounts, total }: Statement, account: string): string {
  const head = [t('statement.csv.symbol'), t('statement.csv.part'), t('statement.csv.entry'), t('statement.csv.amount')]
  const all = t('statement.csv.all')
  const totals = [
    ...termsOf(t, total).map((term) => ({ ...term, entries: [] })),
    resultPart(t, total.paidIn, total.result),
  ].flatMap((part) => rowsOf(t, all, part))
  const without =
    total.without.length > 0 ? [[all, t('wallet.totalWithout', { symbols: total.without.join(', ') })]] : []
  const symbols = accounts
    .filter(isUsed)
    .flatMap((one) => partsOf(t, one).flatMap((part) => rowsOf(t, one.symbol, part)))
  return csvText([
    [t('statement.csv.account'), account],
    [t('statement.csv.at'), at],
    head,
    ...totals,
    ...without,
    ...symbols,
  ])
}

const rowsOf = (t: TFunction, symbol: string, { title, sum, entries }: Part): string[][] => [
  ...(sum ? [[symbol, title, t('statement.csv.inAll'), signed(sum)]] : []),
  ...entries.map((entry) => [symbol, title, entry.name, signed(entry)]),
]

const signed = ({ amount, sign }: { amount: string; sign: string | null }): string =>
  sign === '−' ? `-${amount}` : amount

export const statementCsvName = (at: string): string => `lode-statement-${at.slice(0, 10)}.csv`
