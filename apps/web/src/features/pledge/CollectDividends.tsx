import { call } from '../../shared/api/index.ts'
import { isZero } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Skeleton } from '../../shared/ui/index.ts'
import type { PledgeOverview } from '../production/index.ts'
import { CollectButton } from './CollectButton.tsx'
import styles from './pledge.module.css'

type CollectDividendsProps = { overview: PledgeOverview | undefined; onAnswered: () => unknown }

/** The dividends that wait to be collected into the balance. */
export function CollectDividends({ overview, onAnswered }: CollectDividendsProps) {
  const t = useText()
  if (!overview)
    return (
      <p className={styles.nothing}>
        <Skeleton>{t('pledge.collect', { amount: '0.00000000 BTC' })}</Skeleton>
      </p>
    )
  if (isZero(overview.produced)) return <p className={styles.nothing}>{t('pledge.collectNothing')}</p>
  return (
    <CollectButton
      symbol="BTC"
      amount={overview.produced}
      send={(key) => call('pledge/collect', { key }, { quiet: true })}
      onAnswered={onAnswered}
    />
  )
}
