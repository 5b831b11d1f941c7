import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'
import { formatMoment } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Row } from '../../shared/ui/index.ts'
import { isTransfer } from './transfer-press.ts'
import { findHoldEnd, pollInterval, shownTransferState } from './transfer-timeline.ts'

/**
 * What a transfer waits for, for the sheet of its log line. The log calls every transfer that has not ended
 * "confirming". Draws nothing until the transfer is read.
 */
export function ProgressRow({ id }: { id: string }) {
  const t = useText()
  const language = useLanguage()
  const { data: order } = useQuery({
    ...read('order/detail', { id }),
    meta: { quiet: true },
    staleTime: 0,
    refetchInterval: ({ state }) => (isTransfer(state.data) ? pollInterval(state.data) : false),
  })
  if (!isTransfer(order)) return null
  const holdEnd = findHoldEnd(order)
  return (
    <Row label={t('transfer.order.progress')}>
      {holdEnd
        ? t('transfer.waitsUntil', { moment: formatMoment(holdEnd, language) })
        : t(`transfer.standing.${shownTransferState(order)}`)}
    </Row>
  )
}
