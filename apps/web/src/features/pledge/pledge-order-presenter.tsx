import type { DataOf } from '@lode/wire'
import type { TFunction } from 'i18next'
import { formatWeight } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Note, Row, Rows } from '../../shared/ui/index.ts'
import styles from './pledge.module.css'

type PledgeOrder = DataOf<'pledge/order'>

/** The texts and the outcome of a pledge order. */
export const pledgeOrderPresenter = {
  title: (t: TFunction, { termDays }: PledgeOrder) => t('pledge.order.name', { count: termDays }),
  Outcome,
}

/** The term and its weight. */
function Outcome({ order }: { order: PledgeOrder }) {
  const t = useText()
  const { termDays, termWeight } = order
  return (
    <div className={styles.outcome}>
      <p className={styles.running}>{t('pledge.outcome.title')}</p>
      <Rows>
        <Row label={t('pledge.term')}>{t('pledge.days', { count: termDays })}</Row>
        <Row label={t('pledge.weight')}>{formatWeight(termWeight)}</Row>
      </Rows>
      <Note tone="lode">{t('pledge.outcome.text')}</Note>
    </div>
  )
}
