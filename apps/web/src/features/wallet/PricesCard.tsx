import { ArrowUpRight } from 'lucide-react'
import { useChain } from '../../shared/api/index.ts'
import { explorerPage, formatMoment, shortAddress, valuePlaces } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Amount, Card, Skeleton } from '../../shared/ui/index.ts'
import type { WalletAsset } from '../assets/index.ts'
import styles from './PricesCard.module.css'

const priced = ['BTN', 'BTC'] as const

/** The prices behind the values: each with its time and the contract that reports it. */
export function PricesCard({ items }: { items: readonly WalletAsset[] | undefined }) {
  const t = useText()
  return (
    <Card title={t('wallet.prices')}>
      <dl className={styles.prices}>
        {priced.map((symbol) => {
          const item = items?.find((one) => one.symbol === symbol)
          return (
            <div key={symbol} className={styles.price}>
              <dt className={styles.symbol}>{t('wallet.priceOf', { symbol })}</dt>
              <dd className={styles.figure}>
                {!item ? (
                  <Skeleton>0.000000 USDT</Skeleton>
                ) : item.price ? (
                  <Amount value={item.price.price} symbol="USDT" places={symbol === 'BTC' ? valuePlaces : BTN_PRICE} />
                ) : (
                  <span className={styles.none}>{t('wallet.priceUnavailable')}</span>
                )}
              </dd>
              {item?.price && <Source price={item.price} />}
            </div>
          )
        })}
      </dl>
    </Card>
  )
}

/** A coin that is worth a fraction of a cent needs more digits. */
const BTN_PRICE = { least: 2, most: 8 }

function Source({ price }: { price: NonNullable<WalletAsset['price']> }) {
  const t = useText()
  const language = useLanguage()
  const { data: chain } = useChain()
  return (
    <dd className={styles.source}>
      <span>{formatMoment(price.at, language)}</span>
      {chain?.explorerUrl ? (
        <a
          className={styles.link}
          href={explorerPage(chain.explorerUrl, 'address', price.source)}
          target="_blank"
          rel="noreferrer"
        >
          {t('wallet.priceFrom')} {shortAddress(price.source)}
          <ArrowUpRight size={14} aria-hidden="true" />
        </a>
      ) : (
        <span title={price.source}>
          {t('wallet.priceFrom')} {shortAddress(price.source)}
        </span>
      )}
    </dd>
  )
}
