import { Link } from 'react-router'
import { formatDay, formatMoment, formatWholeAmount, isZero, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Amount, Pair, Skeleton } from '../../shared/ui/index.ts'
import { NextClock, type PledgeOverview, useNextDay } from '../production/index.ts'
import styles from './pledge.module.css'

/** The time of the next production, or what it waits for, and the result of the last one. */
export function NextProduction({ overview }: { overview: PledgeOverview | undefined }) {
  const t = useText()
  const language = useLanguage()
  const { data: nextDay, dataUpdatedAt, error, isPaused } = useNextDay()
  const isMissing = !nextDay && (error !== null || isPaused)
  const next = nextDay?.next
  return (
    <section className={styles.next} aria-label={t('pledge.next')}>
      <Pair>
        <p>
          {t('pledge.next')}{' '}
          {next && (
            <span className={styles.small}>{t('pledge.ofDay', { date: formatDay(next.day, language, 'short') })}</span>
          )}
        </p>
        {nextDay
          ? next && <NextClock next={next} at={nextDay.at} updatedAt={dataUpdatedAt} />
          : !isMissing && <Skeleton>00:00:00</Skeleton>}
      </Pair>
      <div role="status">
        {next && next.state !== 'scheduled' && (
          <p className={styles.small}>
            {t(`pledge.waitsText.${next.state}`, { time: next.until ? formatMoment(next.until, language) : '' })}
          </p>
        )}
        {nextDay && !next && <p className={styles.small}>{t('pledge.nextNone')}</p>}
        {isMissing && <p className={styles.small}>{t('pledge.nextFailed')}</p>}
      </div>
      {overview?.last && <LastProduction last={overview.last} />}
    </section>
  )
}

function LastProduction({ last }: { last: NonNullable<PledgeOverview['last']> }) {
  const t = useText()
  const date = formatDay(last.day, useLanguage(), 'short')
  return (
    <>
      <Pair>
        <p>
          <Link to="/pledge/detail?show=days" className={styles.lastLink}>
            {t('pledge.last')}
          </Link>
        </p>
        <p>
          <Amount value={last.amount} symbol="BTC" places={placesOf.BTC} />
        </p>
      </Pair>
      <p className={styles.lastOf}>
        {isZero(last.shared)
          ? t('pledge.lastNothing', { date })
          : t('pledge.lastOf', { date, amount: formatWholeAmount(last.shared, 'BTC') })}
      </p>
    </>
  )
}
