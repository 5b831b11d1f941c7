import { formatDay, formatWholeAmount, isZero, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card, LargeAmount, Skeleton, StaleNote } from '../../shared/ui/index.ts'
import { NextClock, type PledgeOverview, usePledgeOverview } from '../production/index.ts'
import styles from './LastProduction.module.css'
import { PartFailed } from './PartFailed.tsx'

/** The production of the last closed day, and the time of the next one. Never a forecast. */
export function LastProduction() {
  const t = useText()
  const language = useLanguage()
  const { data, error, isPaused, isFetching, isRefetchError, dataUpdatedAt, refetch } = usePledgeOverview()
  if (!data && (error || isPaused))
    return (
      <Card title={t('home.production.last')}>
        <PartFailed title={t('home.production.failed')} error={error} busy={isFetching} onRetry={refetch} />
      </Card>
    )
  const last = data?.last
  return (
    <Card>
      <div className={styles.pair}>
        <div className={styles.last}>
          <h2 className={styles.label}>
            {last ? t('home.production.of', { date: formatDay(last.day, language) }) : t('home.production.last')}
          </h2>
          <div className={styles.amount}>
            {!data ? (
              <Skeleton>0.00000000 BTC</Skeleton>
            ) : last ? (
              <LargeAmount size="medium" value={last.shared} symbol="BTC" places={placesOf.BTC} />
            ) : (
              <span className={styles.none}>{t('home.production.none')}</span>
            )}
          </div>
        </div>
        <div className={styles.next}>
          {!data ? (
            <Skeleton>00:00:00</Skeleton>
          ) : (
            data.next && (
              <>
                <p className={styles.label}>
                  {t(data.next.state === 'scheduled' ? 'home.production.nextIn' : 'pledge.next')}
                </p>
                <NextClock next={data.next} at={data.at} updatedAt={dataUpdatedAt} />
              </>
            )
          )}
        </div>
      </div>
      {!data && (
        <p className={styles.label}>
          <Skeleton>{t('home.production.noneYours')}</Skeleton>
        </p>
      )}
      {last && <p className={styles.label}>{shareText(last)}</p>}
      {data && !data.next && <p className={styles.label}>{t('pledge.nextNone')}</p>}
      {isRefetchError && <StaleNote since={dataUpdatedAt} />}
    </Card>
  )

  function shareText({ shared, amount }: NonNullable<PledgeOverview['last']>): string {
    if (isZero(shared)) return t('home.production.nothing')
    return isZero(amount)
      ? t('home.production.noneYours')
      : t('home.production.yours', { amount: formatWholeAmount(amount, 'BTC') })
  }
}
