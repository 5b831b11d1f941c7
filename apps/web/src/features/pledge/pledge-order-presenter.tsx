import type { DataOf } from '@lode/wire'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../shared/api/index.ts'
import { formatWeight } from '../../shared/format/index.ts'
import { type TextFunction, useText } from '../../shared/i18n/index.ts'
import { Note, Row, Rows } from '../../shared/ui/index.ts'
import { PledgeDateRows } from './PledgeDateRows.tsx'
import styles from './pledge.module.css'

type PledgeOrder = DataOf<'pledge/order'>

/** The texts and the outcome of a pledge order. */
export const pledgeOrderPresenter = {
  title: (t: TextFunction, { termDays }: PledgeOrder) => t('pledge.order.name', { count: termDays }),
  Outcome,
}

/** The term, its weight and its dates. The dates are shown if the pledge is among the newest records. */
function Outcome({ order }: { order: PledgeOrder }) {
  const t = useText()
  const { id, termDays, termWeight } = order
  const { data: newest } = useQuery({ ...read('pledge/records', { limit: '20' }), staleTime: 0, meta: { quiet: true } })
  const startDay = newest?.items.find((record) => record.id === id)?.startDay ?? null
  return (
    <div className={styles.outcome}>
      <p className={styles.running}>{t('pledge.outcome.title')}</p>
      <Rows>
        <Row label={t('pledge.term')}>{t('pledge.days', { count: termDays })}</Row>
        <Row label={t('pledge.weight')}>{formatWeight(termWeight)}</Row>
        {startDay !== null && <PledgeDateRows startDay={startDay} days={termDays} />}
      </Rows>
      <Note tone="lode">{t('pledge.outcome.text')}</Note>
    </div>
  )
}
