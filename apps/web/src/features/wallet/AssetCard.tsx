import type { Asset } from '@lode/kernel'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { placesOf } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Card, LargeAmount, Skeleton } from '../../shared/ui/index.ts'
import type { WalletAsset } from '../assets/index.ts'
import styles from './AssetCard.module.css'
import { Coin } from './Coin.tsx'
import { HoldingRows } from './HoldingRows.tsx'
import { Worth } from './Worth.tsx'

/** One asset of the wallet. Without an item it draws a placeholder of the same shape. */
export function AssetCard({ symbol, item }: { symbol: Asset; item: WalletAsset | undefined }) {
  const t = useText()
  return (
    <Card>
      <Link to={`/wallet/detail?symbol=${symbol}`} className={styles.head}>
        <Coin symbol={symbol} />
        <span>
          <span className={styles.symbol}>{symbol}</span>
          <span className={styles.label}>{t('wallet.available')}</span>
        </span>
        <span className={styles.figures}>
          {item ? (
            <LargeAmount size="medium" value={item.balance} places={placesOf[symbol]} />
          ) : (
            <span className={styles.waiting}>
              <Skeleton>0,000.00</Skeleton>
            </span>
          )}
          <Worth item={item} />
        </span>
        <ChevronRight className={styles.arrow} size={18} aria-hidden="true" />
      </Link>
      <div className={styles.rows}>
        <HoldingRows symbol={symbol} item={item} />
      </div>
    </Card>
  )
}
