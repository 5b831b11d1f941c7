import type { ReactNode } from 'react'
import { valuePlaces } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { LargeAmount, Skeleton } from '../../shared/ui/index.ts'
import type { WalletAssets } from '../assets/index.ts'
import { OldPrices } from './OldPrices.tsx'
import styles from './TotalValue.module.css'

type TotalValueProps = {
  total: WalletAssets['total'] | undefined
  /** The age of the prices, if they are older than a day. */
  priceDays: number | null
  size: 'hero' | 'large'
  /** An icon behind the amount. */
  after?: ReactNode
  /** What else is not counted. */
  excludes?: string | undefined
}

/** The total value in USDT, the age of the prices, and the symbols that are not counted because they have no price. */
export function TotalValue({ total, priceDays, size, after, excludes }: TotalValueProps) {
  const t = useText()
  return (
    <div>
      <h2 className={styles.label}>{t('wallet.total')}</h2>
      {total ? (
        <LargeAmount size={size} value={total.values} symbol="USDT" places={valuePlaces} after={after} />
      ) : (
        <span className={styles.waiting} data-size={size}>
          <Skeleton>0,000.00 USDT</Skeleton>
        </span>
      )}
      {total && total.without.length > 0 && (
        <p className={styles.without}>{t('wallet.totalWithout', { symbols: total.without.join(', ') })}</p>
      )}
      {excludes && <p className={styles.without}>{excludes}</p>}
      <OldPrices days={priceDays} />
    </div>
  )
}
