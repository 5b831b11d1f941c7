import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { placesOf } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Amount, Card } from '../../shared/ui/index.ts'
import styles from './income.module.css'
import type { Income } from './use-income.ts'

/** The rewards that the member missed in the period, in all and by reason. */
export function Missed({ missed }: Pick<Income, 'missed'>) {
  const t = useText()
  if (missed.count === 0) return null
  return (
    <Card
      title={t('income.missed.title')}
      aside={
        <Link to="/promotion/reward?status=failed" className={styles.link}>
          {t('income.missed.records')}
          <ChevronRight size={16} aria-hidden="true" />
        </Link>
      }
    >
      <div className={styles.row}>
        <p className={styles.small}>{t('income.missed.count', { count: missed.count })}</p>
        <p className={styles.sum}>
          <Amount value={missed.amount} symbol="USDT" places={placesOf.USDT} />
        </p>
      </div>
      <dl>
        {missed.reasons.map(({ reason, count, amount }) => (
          <div key={reason} className={styles.row}>
            <dt className={styles.reason}>{t(`income.missed.reasons.${reason}`, { count })}</dt>
            <dd className={styles.part}>
              <Amount value={amount} places={placesOf.USDT} />
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.small}>{t('income.missed.toFund')}</p>
    </Card>
  )
}
