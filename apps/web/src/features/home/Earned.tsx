import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { formatAmount, formatRecent, isZero, placesOf, valuePlaces } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card, HiddenAmount, LargeAmount, Skeleton, useIsHidden } from '../../shared/ui/index.ts'
import { ageInDays, OldPrices } from '../wallet/index.ts'
import styles from './Earned.module.css'
import type { Home } from './use-home.ts'

const periods = ['today', 'month', 'all'] as const

/** What the pool has paid into the member's balance: in USDT at present prices, and in all by symbol. */
export function Earned({ home }: { home: Home | undefined }) {
  const t = useText()
  const language = useLanguage()
  const isHidden = useIsHidden()
  const earned = home?.earned
  const oldDays = home ? ageInDays(home.earned.priceAt, home.at) : null
  const received = earned?.items.filter(({ all }) => !isZero(all))
  return (
    <Card
      title={t('home.earned.title')}
      aside={
        <Link to="/wallet/income" className={styles.details}>
          {t('home.earned.details')}
          <ChevronRight size={16} aria-hidden="true" />
        </Link>
      }
    >
      <dl className={styles.periods}>
        {periods.map((period) => (
          <div key={period} className={styles.period}>
            <dt className={styles.small}>{t(`home.earned.${period}`)}</dt>
            <dd>
              {earned ? (
                <LargeAmount size="medium" value={earned.total[period].values} places={valuePlaces} />
              ) : (
                <Skeleton>000.00</Skeleton>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {!received && (
        <p className={styles.small}>
          <Skeleton>{t('home.earned.prices')}</Skeleton>
        </p>
      )}
      {received?.length === 0 && <p className={styles.small}>{t('home.earned.none')}</p>}
      {home && received && received.length > 0 && (
        <div>
          <p className={styles.small}>
            {oldDays === null || home.earned.priceAt === null
              ? t('home.earned.prices')
              : t('home.earned.pricesLast', { time: formatRecent(home.earned.priceAt, Date.parse(home.at), language) })}
          </p>
          <p className={styles.symbols}>
            <span className={styles.small}>{t('home.earned.allSymbols')}</span>
            {received.map(({ symbol, all }) => (
              <span key={symbol}>
                {isHidden ? <HiddenAmount /> : formatAmount(all, placesOf[symbol])}
                {`\u00a0${symbol}`}
              </span>
            ))}
          </p>
          {received.some(({ symbol }) => symbol === 'BTN') && (
            <p className={styles.small}>{t('home.earned.airdrops')}</p>
          )}
          {earned && earned.total.all.without.length > 0 && (
            <p className={styles.small}>{t('wallet.totalWithout', { symbols: earned.total.all.without.join(', ') })}</p>
          )}
          <OldPrices days={oldDays} />
        </div>
      )}
    </Card>
  )
}
