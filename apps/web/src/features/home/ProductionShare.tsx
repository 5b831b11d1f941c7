import { Check } from 'lucide-react'
import { useChain } from '../../shared/api/index.ts'
import { formatAmount, formatDay, isZero, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card, LargeAmount, OwnAmounts, Skeleton, useHidesAmounts } from '../../shared/ui/index.ts'
import { NextClock, useNextDay } from '../production/index.ts'
import { isRightShare } from './check-share.ts'
import styles from './ProductionShare.module.css'
import type { Home } from './use-home.ts'

/** The production of the last closed day, the member's share of it, and the time of the next one. Never a forecast. */
export function ProductionShare({ home }: { home: Home | undefined }) {
  const t = useText()
  const language = useLanguage()
  const { data: nextDay, dataUpdatedAt, error, isPaused } = useNextDay()
  const last = home?.last
  const next = nextDay?.next
  return (
    <Card>
      <div className={styles.pair}>
        <h2 className={styles.title}>
          {last ? t('home.production.of', { date: formatDay(last.day, language) }) : t('home.production.last')}
        </h2>
        {nextDay && next && (
          <div className={styles.next}>
            <p className={styles.label}>{t(next.state === 'scheduled' ? 'home.production.nextIn' : 'pledge.next')}</p>
            <NextClock next={next} at={nextDay.at} updatedAt={dataUpdatedAt} />
          </div>
        )}
      </div>
      {!home && (
        <p className={styles.amount}>
          <Skeleton>0.00000000 BTC</Skeleton>
        </p>
      )}
      {home && !last && <p>{t('home.production.none')}</p>}
      {last && <Share last={last} />}
      {nextDay && !next && <p className={styles.label}>{t('pledge.nextNone')}</p>}
      {!nextDay && (error !== null || isPaused) && <p className={styles.label}>{t('pledge.nextFailed')}</p>}
    </Card>
  )
}

function Share({ last }: { last: NonNullable<Home['last']> }) {
  const t = useText()
  const decimals = useChain().data?.tokens.BTC.decimals
  const isOwn = !isZero(last.effective)
  // The pool's production is public. Only the member's part is hidden.
  const isHidden = useHidesAmounts()
  return (
    <>
      <div>
        <p className={styles.label}>{t(isOwn ? 'home.production.yours' : 'home.production.all')}</p>
        <p className={styles.amount} data-own={isOwn ? '' : undefined}>
          {isOwn ? (
            <OwnAmounts>
              <LargeAmount size="large" value={last.amount} symbol="BTC" places={placesOf.BTC} />
            </OwnAmounts>
          ) : (
            <LargeAmount size="large" value={last.shared} symbol="BTC" places={placesOf.BTC} />
          )}
        </p>
      </div>
      {isZero(last.shared) && <p className={styles.label}>{t('home.production.nothing')}</p>}
      {!isZero(last.shared) && !isOwn && <p className={styles.label}>{t('home.production.noneYours')}</p>}
      {!isZero(last.shared) && isOwn && !isHidden && (
        <div>
          <p className={styles.line}>
            {`${plain(last.shared)} × ${plain(last.effective)} ÷ ${plain(last.totalEffective)} ≈ ${formatAmount(last.amount, placesOf.BTC)}\u00a0BTC`}{' '}
            {decimals !== undefined && isRightShare(last, decimals) && (
              <span className={styles.checked}>
                <Check size={14} strokeWidth={3} aria-hidden="true" />
                {t('home.production.checked')}
              </span>
            )}
          </p>
          <p className={styles.label}>{t('home.production.meaning')}</p>
        </div>
      )}
    </>
  )
}

const plain = (amount: string): string => formatAmount(amount, { least: 0, most: 36 })
