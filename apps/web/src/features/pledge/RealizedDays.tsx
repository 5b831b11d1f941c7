import { useQuery } from '@tanstack/react-query'
import { read, useChain } from '../../shared/api/index.ts'
import { addAmounts, formatAmount, placesOf } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Row, Rows } from '../../shared/ui/index.ts'
import { formatAnyAmount, ProductionChart, usePledgeOverview } from '../production/index.ts'
import { computeNetworkShare } from './network-share.ts'
import styles from './pledge.module.css'
import { receivedPerTenThousand } from './realized.ts'

const DAYS = '14'

/**
 * What pledges have really received: the member's present share, and what 10,000 effective BTN received on each of the
 * last days. Nothing here depends on the amount that the member enters. The least BTC that can be taken out is beside
 * the sum of these days, because a small dividend stays below it for a long time.
 */
export function RealizedDays() {
  const t = useText()
  const { data: overview } = usePledgeOverview()
  const { data: terms } = useQuery({ ...read('transfer/terms', {}), meta: { quiet: true } })
  const btc = terms?.symbols.find(({ symbol }) => symbol === 'BTC')
  return (
    <section className={styles.realized}>
      <Rows>
        {overview && (
          <Row label={t('pledge.realized.share')}>
            {computeNetworkShare(overview.effective, overview.totalEffective).text}
          </Row>
        )}
      </Rows>
      <PastDays />
      {btc && (
        <p className={styles.words}>
          {t('pledge.realized.least', { least: formatAmount(addAmounts(btc.min, btc.fee), placesOf.BTC) })}
        </p>
      )}
    </section>
  )
}

function PastDays() {
  const t = useText()
  const { data: chain } = useChain()
  const { data, error } = useQuery({ ...read('pool/days', { limit: DAYS }), meta: { quiet: true } })
  const days = data?.items.map(({ day, q }) => ({ day, shared: receivedPerTenThousand(BigInt(q)) }))
  if (!days && error) return <p className={styles.small}>{t('pledge.table.failed')}</p>
  if (days?.length === 0) return <p className={styles.small}>{t('pledge.realized.none')}</p>
  const decimals = chain?.tokens.BTC.decimals ?? 0
  // The sum of the figures in the table, so that a reader can add them up.
  const sum = days?.reduce((total, { shared }) => total + shared, 0n)
  return (
    <ProductionChart
      days={chain && days}
      decimals={decimals}
      title={t('pledge.realized.title')}
      column={t('pledge.realized.column')}
    >
      <p className={styles.small}>{t('pledge.realized.past')}</p>
      {chain && days && sum !== undefined && (
        <p className={styles.words}>
          {t('pledge.realized.sum', {
            count: days.length,
            sum: formatAmount(formatAnyAmount(sum, decimals), placesOf.BTC),
          })}
        </p>
      )}
    </ProductionChart>
  )
}
