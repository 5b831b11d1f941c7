import type { Asset } from '@lode/kernel'
import { csvText } from '../../shared/csv/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import { typeText } from './type-text.ts'
import type { LogFilters, WalletLogLine } from './use-log.ts'

/**
 * The log as a table. Outgoing amounts are negative and no decimal is cut off, so that a spreadsheet can add up the
 * lines of one status. Canceled and confirming lines are rows too, with their amounts. Fees have their own column.
 * Times are UTC.
 */
export function logCsv(t: TextFunction, symbol: Asset, lines: readonly WalletLogLine[]): string {
  const head = [
    ...[t('wallet.csv.time'), t('wallet.csv.type'), t('wallet.csv.status'), t('wallet.csv.amount'), t('wallet.fee')],
    ...[t('wallet.csv.symbol'), t('wallet.csv.endedAt'), t('wallet.csv.transaction'), t('wallet.detail.balanceAfter')],
    t('wallet.csv.reference'),
  ]
  return csvText([head, ...lines.map((line) => rowOf(t, symbol, line))])
}

function rowOf(
  t: TextFunction,
  symbol: Asset,
  { id, type, status, direction, amount, fee, at, endedAt, tx, balanceAfter }: WalletLogLine,
): string[] {
  const signed = direction === 'out' ? `-${amount}` : amount
  return [
    ...[at, typeText(t, type), t(`wallet.statuses.${status}`), signed, fee, symbol],
    ...[endedAt ?? '', tx ?? '', balanceAfter ?? '', id],
  ]
}

/** The file of some days is named for these days, and the file of the whole log for today. */
export const logCsvName = (symbol: Asset, { from, to }: LogFilters, now: Date): string =>
  `lode-${symbol}-${from && to ? `${from}-${to}` : now.toISOString().slice(0, 10)}.csv`
