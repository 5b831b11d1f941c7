import type { Asset } from '@lode/kernel'
import { placesOf } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Card, LargeAmount, Loaded, Skeleton, StaleNote } from '../../shared/ui/index.ts'
import type { useAssets } from '../assets/index.ts'
import styles from './AssetSummary.module.css'
import { HoldingRows } from './HoldingRows.tsx'
import { OldPrices } from './OldPrices.tsx'
import { oldPriceDays } from './price-age.ts'
import { Worth } from './Worth.tsx'

type AssetSummaryProps = { symbol: Asset; assetsQuery: ReturnType<typeof useAssets> }

/** The member's balance in one asset. */
export function AssetSummary({ symbol, assetsQuery }: AssetSummaryProps) {
  const t = useText()
  const { data, isRefetchError, dataUpdatedAt } = assetsQuery
  return (
    <Loaded
      query={{ ...assetsQuery, data: assetsQuery.data?.items.find((one) => one.symbol === symbol) }}
      failed={t('wallet.failed')}
      offline={t('wallet.offlineText')}
    >
      {(item) => (
        <>
          <div className={styles.balance}>
            <h2 className={styles.label}>{t('wallet.available')}</h2>
            {item ? (
              <LargeAmount size="hero" value={item.balance} symbol={symbol} places={placesOf[symbol]} />
            ) : (
              <span className={styles.waiting}>
                <Skeleton>{`0,000.00 ${symbol}`}</Skeleton>
              </span>
            )}
            <p>
              <Worth item={item} />
            </p>
            {data && <OldPrices days={oldPriceDays(data, [symbol])} />}
            <StaleNote since={isRefetchError ? dataUpdatedAt : null} />
          </div>
          <Card>
            <HoldingRows symbol={symbol} item={item} />
          </Card>
        </>
      )}
    </Loaded>
  )
}
