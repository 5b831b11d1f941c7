import { valuePlaces } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Amount, Skeleton } from '../../shared/ui/index.ts'
import type { Item } from './use-assets.ts'
import styles from './Worth.module.css'

/** What an asset is worth in USDT, or that nobody can say. */
export function Worth({ item }: { item: Item | undefined }) {
  const t = useText()
  return (
    <span className={styles.worth}>
      {!item ? (
        <Skeleton>≈ 0,000.00 USDT</Skeleton>
      ) : item.values === null ? (
        t('wallet.priceUnavailable')
      ) : (
        <>
          <span className="visually-hidden">{t('wallet.worth')}</span>
          {' ≈ '}
          <Amount value={item.values} symbol="USDT" places={valuePlaces} />
        </>
      )}
    </span>
  )
}
