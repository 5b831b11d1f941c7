import { formatDay, formatWholeAmount, isZero, placesOf } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card, LargeAmount, Skeleton } from '../../shared/ui/index.ts'
import { WhatIs } from '../explain/index.ts'
import type { PledgeOverview } from '../production/index.ts'
import { computeNetworkShare } from './network-share.ts'
import styles from './pledge.module.css'
import { ShareArc } from './ShareArc.tsx'

/** An effective pledge is BTN times the weight of its term in basis points, so it has at most four decimals. */
const EFFECTIVE_PLACES = { least: 0, most: 4 }

/** The member's effective pledge, its network share, and the dividends that can be collected. Realized figures only. */
export function SummaryCard({ overview }: { overview: PledgeOverview | undefined }) {
  const t = useText()
  const language = useLanguage()
  return (
    <Card>
      <div className={styles.summary}>
        <dl className={styles.figures}>
          <dt className={styles.small}>
            {t('pledge.effective')}
            <WhatIs word="effective" />
          </dt>
          <dd className={styles.figure}>
            {overview ? (
              <LargeAmount size="medium" value={overview.effective} symbol="BTN" places={EFFECTIVE_PLACES} />
            ) : (
              <Skeleton>000,000 BTN</Skeleton>
            )}
            {overview && !isZero(overview.pledged) && (
              <span className={styles.small}>
                {t('pledge.locked', { amount: formatWholeAmount(overview.pledged, 'BTN') })}
              </span>
            )}
          </dd>
          <dt className={styles.small}>{t('pledge.produced')}</dt>
          <dd className={styles.produced}>
            {overview ? (
              <LargeAmount size="medium" value={overview.produced} symbol="BTC" places={placesOf.BTC} />
            ) : (
              <Skeleton>0.00000000 BTC</Skeleton>
            )}
          </dd>
        </dl>
        <ShareArc share={overview && computeNetworkShare(overview.effective, overview.totalEffective)} />
      </div>
      {overview && !isZero(overview.starting) && (
        // A pledge that has not started begins tomorrow: it counts from the day after payment.
        <p className={styles.small}>
          {t('pledge.starting', {
            amount: formatWholeAmount(overview.starting, 'BTN'),
            date: formatDay(overview.today + 1, language, 'short'),
          })}
        </p>
      )}
    </Card>
  )
}
