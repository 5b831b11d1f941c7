import { placesOf, valuePlaces } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Amount, Card } from '../../shared/ui/index.ts'
import styles from './income.module.css'
import type { Income } from './use-income.ts'

/** The income by symbol, and below each symbol by its sources. */
export function Sources({ income }: { income: Income }) {
  const t = useText()
  const received = income.symbols.filter(({ symbol }) => income.sources.some((source) => source.symbol === symbol))
  return (
    <Card title={t('income.sources')}>
      {received.map(({ symbol, amount, values }) => (
        <section key={symbol} className={styles.symbol}>
          <header className={styles.row}>
            <h3 className={styles.name}>
              <span className={styles.swatch} data-symbol={symbol} aria-hidden="true" />
              {symbol}
            </h3>
            <p className={styles.sum}>
              <Amount value={amount} symbol={symbol} places={placesOf[symbol]} />
              {symbol !== 'USDT' && (
                <span className={styles.worth}>
                  {values === null ? (
                    t('wallet.priceUnavailable')
                  ) : (
                    <>
                      {'≈ '}
                      <Amount value={values} symbol="USDT" places={valuePlaces} />
                    </>
                  )}
                </span>
              )}
            </p>
          </header>
          <dl>
            {income.sources
              .filter((source) => source.symbol === symbol)
              .map((source) => (
                <div key={source.type} className={styles.row}>
                  <dt className={styles.small}>{t(`wallet.types.${source.type}`)}</dt>
                  <dd className={styles.part}>
                    <Amount value={source.amount} places={placesOf[symbol]} sign="+" />
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Card>
  )
}
