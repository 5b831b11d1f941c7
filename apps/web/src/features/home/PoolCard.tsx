import type { ReactNode } from 'react'
import { useNow } from '../../shared/clock/index.ts'
import { formatAmount, formatRecent, formatShare, type Places } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card, LargeAmount, Skeleton, StaleNote } from '../../shared/ui/index.ts'
import { Holdings } from './Holdings.tsx'
import { PartFailed } from './PartFailed.tsx'
import styles from './PoolCard.module.css'
import { type PoolFigures, usePoolFigures } from './use-pool-figures.ts'

const NO_DECIMALS: Places = { least: 0, most: 0 }
const UP_TO_TWO_DECIMALS: Places = { least: 0, most: 2 }
/** An effective pledge is BTN times the weight of its term in basis points, so it has at most four decimals. */
const EFFECTIVE_PLEDGE: Places = { least: 0, most: 4 }

/** Shows the public pool figures and when they were computed. */
export function PoolCard() {
  const t = useText()
  const language = useLanguage()
  const now = useNow(60_000)
  const { data, error, isPaused, isFetching, isRefetchError, dataUpdatedAt, refetch } = usePoolFigures()
  const formatTime = (iso: string): string => formatRecent(iso, now, language)
  if (!data && (error || isPaused))
    return (
      <Card title={t('home.pool.title')}>
        <PartFailed title={t('home.pool.failed')} error={error} busy={isFetching} onRetry={refetch} />
      </Card>
    )
  return (
    <Card
      title={t('home.pool.title')}
      aside={
        <p className={styles.small}>
          {data ? t('home.pool.computed', { time: formatTime(data.at) }) : <Skeleton>00:00</Skeleton>}
        </p>
      }
    >
      {isRefetchError && <StaleNote since={dataUpdatedAt} />}
      <Totals totals={data?.totals} />
      <CurrentFigures figures={data} />
      <PlanFigures figures={data} />
      <Holdings figures={data} time={formatTime} />
    </Card>
  )
}

type FigureProps = { label: string; children: ReactNode | undefined; sample: string }

/** Shows a label and its value. While the value loads, `sample` gives the placeholder its size. */
function Figure({ label, children, sample }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt className={styles.small}>{label}</dt>
      <dd className={styles.value}>{children ?? <Skeleton>{sample}</Skeleton>}</dd>
    </div>
  )
}

const formatNumber = (value: number): string => formatAmount(String(value), { least: 0, most: 6 })

function Totals({ totals }: { totals: PoolFigures['totals'] | undefined }) {
  const t = useText()
  return (
    <div>
      <dl className={styles.figures}>
        <Figure label={t('home.pool.power')} sample="00,000 TH/s">
          {totals && (
            <>
              {formatNumber(totals.power)} <span className={styles.light}>TH/s</span>
            </>
          )}
        </Figure>
        <Figure label={t('home.pool.investment')} sample="000,000 USDT">
          {totals && <LargeAmount size="small" value={totals.investment} symbol="USDT" places={UP_TO_TWO_DECIMALS} />}
        </Figure>
        <Figure label={t('home.pool.units')} sample="000">
          {totals && formatNumber(totals.units)}
        </Figure>
        <Figure label={t('home.pool.members')} sample="000">
          {totals && formatNumber(totals.members)}
        </Figure>
      </dl>
      <p className={styles.counted}>{t('home.pool.totalsText')}</p>
    </div>
  )
}

type FiguresProps = { figures: PoolFigures | undefined }

function CurrentFigures({ figures }: FiguresProps) {
  const t = useText()
  const liquidity = (symbol: 'USDT' | 'BTN') => {
    const amount = figures?.liquidity.find((one) => one.symbol === symbol)?.amount
    return amount === undefined ? undefined : (
      <LargeAmount size="small" value={amount} symbol={symbol} places={UP_TO_TWO_DECIMALS} />
    )
  }
  return (
    <dl className={styles.figures} data-part="">
      <Figure label={t('home.pool.effective')} sample="000,000 BTN">
        {figures && (
          <LargeAmount size="small" value={figures.production.effective} symbol="BTN" places={EFFECTIVE_PLEDGE} />
        )}
      </Figure>
      <Figure label={t('home.pool.burned')} sample="000 BTN">
        {figures && <LargeAmount size="small" value={figures.burned} symbol="BTN" places={UP_TO_TWO_DECIMALS} />}
      </Figure>
      <Figure label={t('home.pool.liquidity')} sample="000,000 USDT">
        {liquidity('USDT')}
      </Figure>
      <Figure label={t('home.pool.liquidityReserve')} sample="000,000 BTN">
        {liquidity('BTN')}
      </Figure>
      <Figure label={t('home.pool.overdue')} sample="0">
        {figures && formatNumber(figures.transfersOverdue)}
      </Figure>
    </dl>
  )
}

/** Values of the plan, or a text if there is no plan. */
function PlanFigures({ figures }: FiguresProps) {
  const t = useText()
  const plan = figures?.plan
  if (figures && !plan)
    return (
      <p className={styles.missing} data-part="">
        {t('home.pool.planNone')}
      </p>
    )
  return (
    <div className={styles.part}>
      <dl className={styles.figures}>
        <Figure label={t('home.pool.issuance')} sample="0,000,000,000 BTN">
          {plan && <LargeAmount size="small" value={plan.issuance} symbol="BTN" places={NO_DECIMALS} />}
        </Figure>
        <Figure label={t('home.pool.destruction')} sample="00%">
          {plan && formatShare(plan.destruction)}
        </Figure>
        <Figure label={t('home.pool.airdrop')} sample="00%">
          {plan && formatShare(plan.airdrop)}
        </Figure>
        <Figure label={t('home.pool.promotion')} sample="00%">
          {plan && formatShare(plan.promotion)}
        </Figure>
      </dl>
      <p className={styles.counted}>{t('home.pool.ratiosText')}</p>
    </div>
  )
}
