import { pledgeStatuses } from '@lode/wire'
import { ChevronRight } from 'lucide-react'
import {
  formatDay,
  formatMoment,
  formatWeight,
  formatWholeAmount,
  isZero,
  placesOf,
} from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Amount, Pair, Pill, Skeleton } from '../../shared/ui/index.ts'
import { failureText, showOrder } from '../order/index.ts'
import styles from './detail.module.css'
import type { PledgeRecord } from './use-pledge-detail.ts'

const tones = {
  enable: 'jade',
  scheduled: 'sky',
  payment: 'lode',
  confirm: 'sky',
  close: 'neutral',
  // A pledge order fails only if it is canceled or not paid in time.
  failed: 'neutral',
  undefined: 'neutral',
} as const

const QUANTITY_PLACES = { least: 0, most: 18 }

/** One pledge: quantity, term, progress and dividends. Without a pledge it draws a placeholder of the same shape. */
export function PledgeRecordLine({ record }: { record: PledgeRecord | undefined }) {
  const t = useText()
  const language = useLanguage()
  if (!record) return <PledgeRecordLineSkeleton />
  const { amount, days, day, startDay, endDay } = record
  const known = pledgeStatuses.find((one) => one === record.status) ?? 'undefined'
  // Paid, and its first day is still to come.
  const status = known === 'enable' && day === 0 ? 'scheduled' : known
  return (
    <li className={styles.line} data-status={status}>
      <Pair>
        <p className={styles.name}>
          {t('pledge.detail.name')} · {t('pledge.days', { count: days })}
        </p>
        <p className={styles.amount}>
          <Amount value={amount} symbol={record.symbol} places={QUANTITY_PLACES} />
        </p>
      </Pair>
      <Pair>
        <time className={styles.small} dateTime={record.at}>
          {formatMoment(record.at, language)}
        </time>
        <Pill tone={tones[status]}>{t(`pledge.detail.statuses.${status}`)}</Pill>
      </Pair>
      <p className={styles.small}>
        {t('pledge.detail.weighs', {
          weight: formatWeight(record.termWeight),
          amount: formatWholeAmount(record.effective, 'BTN'),
        })}
      </p>
      {startDay !== null && endDay !== null && (
        <>
          <div className={styles.progress}>
            <p className={styles.dayOf}>
              {day === 0
                ? t('pledge.detail.begins', { date: formatDay(startDay, language) })
                : t('pledge.detail.dayOf', { day, days })}
            </p>
            <div className={styles.bar} aria-hidden="true">
              <div className={styles.passed} style={{ inlineSize: `${(day / days) * 100}%` }} />
            </div>
            <p className={styles.small}>
              {t('pledge.detail.fromTo', { from: formatDay(startDay, language), to: formatDay(endDay, language) })}
            </p>
          </div>
          <dl className={styles.brought}>
            <div>
              <dt className={styles.small}>{t('pledge.detail.produced')}</dt>
              <dd className={isZero(record.produced) ? undefined : styles.jade}>
                <Amount value={record.produced} symbol="BTC" places={placesOf.BTC} />
              </dd>
            </div>
            <div>
              <dt className={styles.small}>{t('pledge.detail.collected')}</dt>
              <dd>
                <Amount value={record.collected} symbol="BTC" places={placesOf.BTC} />
              </dd>
            </div>
          </dl>
        </>
      )}
      {record.failure && <p className={styles.said}>{failureText(t, record, record.failure)}</p>}
      {record.returnedAt && (
        <p className={styles.said}>
          {t('pledge.detail.returned', {
            amount: formatWholeAmount(amount, 'BTN'),
            time: formatMoment(record.returnedAt, language),
          })}
          {record.settledAt === null && (
            <>
              <br />
              {t('pledge.detail.unsettled')}
            </>
          )}
        </p>
      )}
      <button type="button" className={styles.open} data-tone={status} onClick={() => showOrder(record.id)}>
        {t('pledge.detail.open')}
        <ChevronRight size={16} aria-hidden="true" />
      </button>
    </li>
  )
}

function PledgeRecordLineSkeleton() {
  const t = useText()
  return (
    <li className={styles.line}>
      <Pair>
        <p className={styles.name}>
          <Skeleton>{`${t('pledge.detail.name')} · ${t('pledge.days', { count: 30 })}`}</Skeleton>
        </p>
        <p className={styles.amount}>
          <Skeleton>00,000 BTN</Skeleton>
        </p>
      </Pair>
      <Pair>
        <p className={styles.small}>
          <Skeleton>00 Aaa 0000, 00:00</Skeleton>
        </p>
        <Pill tone="neutral">
          <Skeleton>{t('pledge.detail.statuses.enable')}</Skeleton>
        </Pill>
      </Pair>
      <div className={styles.progress}>
        <p className={styles.dayOf}>
          <Skeleton>{t('pledge.detail.dayOf', { day: 1, days: 30 })}</Skeleton>
        </p>
        <div className={styles.bar} />
        <p className={styles.small}>
          <Skeleton>{t('pledge.detail.fromTo', { from: '00 Aaa 0000', to: '00 Aaa 0000' })}</Skeleton>
        </p>
      </div>
    </li>
  )
}
