import { valuePlaces } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Amount, Skeleton } from '../../shared/ui/index.ts'
import type { WalletAsset } from '../assets/index.ts'
import styles from './Worth.module.css'

/** The value of an asset in USDT, or a text that it is not known. */
export function Worth({ item }: { item: WalletAsset | undefined }) {
  const t = useText()
  return (
    <span className={styles.worth}>
      {!item ? (
        <Skeleton>≈ 0,000.00 USDT</Skeleton>
      ) : item.values === null ? (
        t('wallet.priceUnavailable')
      ) : (
        <>
          {/* The amount above is the available balance; the value includes frozen money. */}
          {item.freeze === '0' ? (
            <span className="visually-hidden">{t('wallet.worth')}</span>
          ) : (
            t('wallet.worthWithFrozen')
          )}
          {' ≈ '}
          <Amount value={item.values} symbol="USDT" places={valuePlaces} />
        </>
      )}
    </span>
  )
}
