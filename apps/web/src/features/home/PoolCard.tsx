import type { ReactNode } from 'react'
import { useNow } from '../../shared/clock/index.ts'
import { formatAmount, formatRecent, formatShare, type Places } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card, LargeAmount, OldNote, Skeleton } from '../../shared/ui/index.ts'
import { Holdings } from './Holdings.tsx'
import { PartFailed } from './PartFailed.tsx'
import styles from './PoolCard.module.css'
import { type Figures, useFigures } from './use-pool.ts'

const WHOLE: Places = { least: 0, most: 0 }
const SHORT: Places = { least: 0, most: 2 }
/** A weight is BTN times the weight of its term, so it has at most four decimals. */
const EFFECTIVE: Places = { least: 0, most: 4 }

/** The public pool figures, each part with the time of its data. */
export function PoolCard() {
  const t = useText()
  const language = useLanguage()
  const now = useNow(60_000)
  const { data, error, isPaused, isFetching, isRefetchError, dataUpdatedAt, refetch } = useFigures()
  const time = (iso: string): string => formatRecent(iso, now, language)
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
          {data ? t('home.pool.computed', { time: time(data.at) }) : <Skeleton>00:00</Skeleton>}
        </p>
      }
    >
      {isRefetchError && <OldNote since={dataUpdatedAt} />}
      <Totals totals={data?.totals} time={time} />
      <Parts figures={data} />
      <PlanParts figures={data} />
      <Holdings figures={data} time={time} />
    </Card>
  )
}

type FigureProps = { label: string; children: ReactNode | undefined; sample: string }

/** A figure below its name. Its placeholder has the same size. */
function Figure({ label, children, sample }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt className={styles.small}>{label}</dt>
      <dd className={styles.value}>{children ?? <Skeleton>{sample}</Skeleton>}</dd>
    </div>
  )
}

const grouped = (value: number): string => formatAmount(String(value), { least: 0, most: 6 })

type TotalsProps = { totals: Figures['totals'] | undefined; time: (iso: string) => string }

/** Totals over the whole database, which are counted less often. Null if counting failed. */
function Totals({ totals, time }: TotalsProps) {
  const t = useText()
  if (totals === null) return <p className={styles.missing}>{t('home.pool.countedNone')}</p>
  return (
    <div>
      <dl className={styles.figures}>
        <Figure label={t('home.pool.power')} sample="00,000 TH/s">
          {totals && (
            <>
              {grouped(totals.power)} <span className={styles.light}>TH/s</span>
            </>
          )}
        </Figure>
        <Figure label={t('home.pool.investment')} sample="000,000 USDT">
          {totals && <LargeAmount size="small" value={totals.investment} symbol="USDT" places={SHORT} />}
        </Figure>
        <Figure label={t('home.pool.units')} sample="000">
          {totals && grouped(totals.units)}
        </Figure>
        <Figure label={t('home.pool.members')} sample="000">
          {totals && grouped(totals.members)}
        </Figure>
      </dl>
      <p className={styles.counted}>
        {totals ? t('home.pool.counted', { time: time(totals.at) }) : <Skeleton>00:00</Skeleton>}
      </p>
    </div>
  )
}

type PartProps = { figures: Figures | undefined }

function Parts({ figures }: PartProps) {
  const t = useText()
  const liquidity = (symbol: 'USDT' | 'BTN') => {
    const amount = figures?.liquidity.find((one) => one.symbol === symbol)?.amount
    return amount === undefined ? undefined : <LargeAmount size="small" value={amount} symbol={symbol} places={SHORT} />
  }
  return (
    <dl className={styles.figures} data-part="">
      <Figure label={t('home.pool.effective')} sample="000,000 BTN">
        {figures && <LargeAmount size="small" value={figures.production.effective} symbol="BTN" places={EFFECTIVE} />}
      </Figure>
      <Figure label={t('home.pool.burned')} sample="000 BTN">
        {figures && <LargeAmount size="small" value={figures.burned} symbol="BTN" places={SHORT} />}
      </Figure>
      <Figure label={t('home.pool.liquidity')} sample="000,000 USDT">
        {liquidity('USDT')}
      </Figure>
      <Figure label={t('home.pool.liquidityReserve')} sample="000,000 BTN">
        {liquidity('BTN')}
      </Figure>
      <Figure label={t('home.pool.overdue')} sample="0">
        {figures && grouped(figures.transfersOverdue)}
      </Figure>
    </dl>
  )
}

/** Values of the plan, or a text if there is no plan. */
function PlanParts({ figures }: PartProps) {
  const t = useText()
  const plan = figures?.plan
  if (figures && !plan)
    return (
      <p className={styles.missing} data-part="">
        {t('home.pool.planNone')}
      </p>
    )
  return (
    <dl className={styles.figures} data-part="">
      <Figure label={t('home.pool.issuance')} sample="0,000,000,000 BTN">
        {plan && <LargeAmount size="small" value={plan.issuance} symbol="BTN" places={WHOLE} />}
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
  )
}
