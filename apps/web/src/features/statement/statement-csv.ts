import type { TFunction } from 'i18next'
import { csvText } from '../../shared/csv/index.ts'
import { isZero } from '../../shared/format/index.ts'
import { isUsed, partsOf } from './entries.ts'
import type { Statement } from './use-statement.ts'

/** A row an entry. Amounts are whole and signed: those with a sign add up to what is held. */
export function statementCsv(t: TFunction, { at, accounts }: Statement, account: string): string {
  const head = [t('statement.csv.symbol'), t('statement.csv.part'), t('statement.csv.entry'), t('statement.csv.amount')]
  const rows = accounts
    .filter(isUsed)
    .flatMap((one) => [
      ...partsOf(t, one).flatMap(({ title, sum, entries, name }) => [
        ...entries.map((entry) => [
          ...[one.symbol, title, entry.name, entry.sign === '−' ? `-${entry.amount}` : entry.amount],
        ]),
        ...(sum && name === 'held' ? [[one.symbol, title, t('statement.csv.inAll'), sum.amount]] : []),
      ]),
      [one.symbol, t('statement.net'), netText(t, one.net), signedNet(one.net)],
    ])
  return csvText([[t('statement.csv.account'), account], [t('statement.csv.at'), at], head, ...rows])
}

type Net = Statement['total']['net']

export function netText(t: TFunction, { direction, amount }: Net): string {
  if (isZero(amount)) return t('statement.netEven')
  return t(direction === 'out' ? 'statement.netOut' : 'statement.netIn')
}

const signedNet = ({ direction, amount }: Net): string =>
  direction === 'out' || isZero(amount) ? amount : `-${amount}`

export const statementCsvName = (at: string): string => `lode-statement-${at.slice(0, 10)}.csv`
