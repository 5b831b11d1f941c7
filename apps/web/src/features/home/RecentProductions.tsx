import { Link } from 'react-router'
import { useChain } from '../../shared/api/index.ts'
import { formatDay } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card, Skeleton, StaleNote, TransactionLink } from '../../shared/ui/index.ts'
import { ProductionChart } from '../production/index.ts'
import { PartFailed } from './PartFailed.tsx'
import styles from './RecentProductions.module.css'
import { productionUnits, useNewestDays } from './use-pool-figures.ts'

/** The newest days as bars, the funding of the last day, and a link to recompute it. */
export function RecentProductions() {
  const t = useText()
  const language = useLanguage()
  const { data: chain } = useChain()
  const { data, error, isPaused, isFetching, isRefetchError, dataUpdatedAt, refetch } = useNewestDays()
  const title = t('pledge.table.productions')
  if (!data && (error || isPaused))
    return (
      <Card title={title}>
        <PartFailed title={t('pledge.table.failed')} error={error} busy={isFetching} onRetry={refetch} />
      </Card>
    )
  const last = data?.items[0]
  if (data && !last)
    return (
      <Card title={title}>
        <p className={styles.small}>{t('pledge.table.empty')}</p>
      </Card>
    )
  const decimals = chain?.tokens.BTC.decimals
  const days =
    decimals === undefined
      ? undefined
      : data?.items.map((day) => ({ day: day.day, shared: productionUnits(day, decimals) }))
  return (
    <ProductionChart days={days} decimals={decimals ?? 0}>
      <div className={styles.foot}>
        <div className={styles.funding}>
          {!last && (
            <>
              <span className={styles.small}>
                <Skeleton>{t('home.production.fundedBy', { date: '00 Aaa 0000' })}</Skeleton>
              </span>
              <Skeleton>0x0000…0000</Skeleton>
            </>
          )}
          {last && last.fundings.length === 0 && (
            <span className={styles.small}>
              {t('home.production.unfunded', { date: formatDay(last.day, language) })}
            </span>
          )}
          {last && last.fundings.length > 0 && (
            <>
              <span className={styles.small}>
                {t('home.production.fundedBy', { date: formatDay(last.day, language) })}
              </span>
              {last.fundings.map(({ tx, bitcoinTx, bitcoinOutput }) => (
                <TransactionLink
                  key={`${tx} ${bitcoinTx} ${bitcoinOutput}`}
                  hash={tx}
                  explorerUrl={chain?.explorerUrl ?? null}
                />
              ))}
            </>
          )}
        </div>
        <Link to="/pledge/detail?show=days" className={styles.verify}>
          {t('home.production.verify')}
        </Link>
      </div>
      {isRefetchError && <StaleNote since={dataUpdatedAt} />}
    </ProductionChart>
  )
}
