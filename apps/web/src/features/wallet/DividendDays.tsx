import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'
import { formatDay } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Row } from '../../shared/ui/index.ts'
import { findDividendDays } from './dividend-days.ts'
import type { WalletLogLine } from './use-log.ts'

const MOST_ROWS = { limit: '100' }
const quiet = { meta: { quiet: true } }

/** The days that a dividend line pays. Nothing is shown until they are known. */
export function DividendDays({ line }: { line: WalletLogLine }) {
  const t = useText()
  const language = useLanguage()
  const log = { symbol: 'BTC', type: 'pointReward', to: line.at.slice(0, 10), ...MOST_ROWS } as const
  const { data: lines } = useQuery({ ...read('wallet/log', log), ...quiet })
  const { data: pledges } = useQuery({ ...read('pledge/records', MOST_ROWS), ...quiet })
  const { data: closed } = useQuery({ ...read('pool/days', MOST_ROWS), ...quiet })
  if (!lines || !pledges || !closed) return null
  const days = findDividendDays(line, { lines: { items: lines.lines, next: lines.next }, pledges, closed })
  if (!days) return null
  const [from, to] = [formatDay(days.first, language), formatDay(days.last, language)]
  return <Row label={t('wallet.detail.days')}>{from === to ? from : t('statement.days', { from, to })}</Row>
}
