import type { ReactNode } from 'react'
import { formatDay } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card, Skeleton } from '../../shared/ui/index.ts'
import { btcText } from './amount-text.ts'
import styles from './ProductionChart.module.css'

/** As many bars as can be told apart on a narrow phone. */
const MAX_BARS = 14

type ClosedDay = {
  readonly day: number
  /** The production of the day, and the member's part, on screens that show it. */
  readonly shared: bigint
  readonly own?: bigint
}

type ProductionChartProps = {
  /** Newest first. */
  days: readonly ClosedDay[] | undefined
  decimals: number
  /** The title, if the bars are not the productions of whole days. */
  title?: string
  /** The name of the column with the figures. */
  column?: string
  children?: ReactNode
}

/** The production of each day as bars. A day without production keeps its place. */
export function ProductionChart({ days, decimals, children, ...texts }: ProductionChartProps) {
  const t = useText()
  const { title = t('pledge.table.productions'), column = t('pledge.table.shared') } = texts
  const language = useLanguage()
  const bars = (days ?? []).slice(0, MAX_BARS).reverse()
  const hasOwn = bars.some(({ own }) => own !== undefined)
  const most = highest(bars.map(({ shared }) => shared))
  const empty = bars.filter(({ shared }) => shared <= 0n).length
  const [first, last] = [bars[0], bars.at(-1)]
  return (
    <Card title={title}>
      <p className={styles.small}>
        {days ? t('pledge.table.lastDays', { days: bars.length }) : <Skeleton>Last 00 days</Skeleton>}
        {empty > 0 && ` · ${t('pledge.table.withoutProduction', { days: empty })}`}
      </p>
      {most > 0n && (
        <p className={styles.scale} aria-hidden="true">
          {t('pledge.table.highest', { amount: btcText(most, decimals) })}
        </p>
      )}
      <div className={styles.bars} aria-hidden="true">
        {days ? (
          bars.map(({ day, shared }) => (
            <span
              key={day}
              className={styles.bar}
              data-empty={shared <= 0n ? '' : undefined}
              data-last={day === last?.day ? '' : undefined}
              style={shared <= 0n ? undefined : { blockSize: `${barHeight(shared, most)}%` }}
            />
          ))
        ) : (
          <span className={styles.waiting} />
        )}
      </div>
      {!days && (
        <p className={styles.ends}>
          <Skeleton>00 Aaa 0000</Skeleton>
        </p>
      )}
      {first && last && (
        <p className={styles.ends} aria-hidden="true">
          <span>{formatDay(first.day, language)}</span>
          {first !== last && <span>{formatDay(last.day, language)}</span>}
        </p>
      )}
      {days && (
        <details className={styles.figures}>
          <summary>{t('pledge.table.asTable')}</summary>
          <table>
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{t('pledge.table.day')}</th>
                <th scope="col">{column}</th>
                {hasOwn && <th scope="col">{t('pledge.table.yours')}</th>}
              </tr>
            </thead>
            <tbody>
              {bars.map(({ day, shared, own }) => (
                <tr key={day}>
                  <th scope="row">{formatDay(day, language)}</th>
                  <td>{btcText(shared, decimals)}</td>
                  {own !== undefined && <td>{btcText(own, decimals)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      {children}
    </Card>
  )
}

const highest = (values: readonly bigint[]): bigint => [...values].sort((one, other) => (one < other ? 1 : -1))[0] ?? 0n

/** A production that would be invisible still gets this height. */
const MIN_HEIGHT_PERCENT = 8

const barHeight = (shared: bigint, most: bigint): number => Math.max(MIN_HEIGHT_PERCENT, Number((shared * 100n) / most))
