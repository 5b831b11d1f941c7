import { formatDay } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Row } from '../../shared/ui/index.ts'

/** The first day of a pledge, the earliest day of its first dividend, and the day on which the BTN comes back. */
export function PledgeDateRows({ startDay, days }: { startDay: number; days: number }) {
  const t = useText()
  const language = useLanguage()
  return (
    <>
      <Row label={t('pledge.order.begins')}>{formatDay(startDay, language)}</Row>
      <Row label={t('pledge.order.firstDividend')}>
        {t('pledge.order.earliest', { date: formatDay(startDay + 1, language) })}
      </Row>
      <Row label={t('pledge.order.ends')}>{formatDay(startDay + days, language)}</Row>
    </>
  )
}
