import { type Asset, assets } from '@lode/kernel'
import { type CSSProperties, useState } from 'react'
import { formatAmount, formatDay, formatMonth, placesOf, valuePlaces } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card, HiddenAmount, useIsHidden } from '../../shared/ui/index.ts'
import styles from './income.module.css'
import { stackBars } from './stack-bars.ts'
import type { Income, IncomeBar } from './use-income.ts'

/** Fewer bars would be too wide, so they leave room at the end. */
const MIN_SLOTS = 7
/** The size of the drawing, which is stretched to the card. */
const [SLOT, BAR, HEIGHT] = [10, 7, 1_000]

/**
 * The income of each day or month as bars. A slider without a visible track lies over them: a finger, the arrow keys and
 * a screen reader choose a bar with it, and its figures are written above. The same figures are in a table.
 */
export function IncomeChart({ income }: { income: Income }) {
  const t = useText()
  const { bars, step } = income
  const [chosenDay, setChosenDay] = useState<number | null>(null)
  const nameOf = useBarName(step)
  const isHidden = useIsHidden()
  // The last bar is chosen until the member chooses another one. A bar that another period lacks is not chosen any more.
  const found = bars.findIndex(({ day }) => day === chosenDay)
  const chosen = found === -1 ? bars.length - 1 : found
  const bar = bars[chosen]
  if (!bar) return null
  const slots = Math.max(bars.length, MIN_SLOTS)
  const [first, last] = [bars[0], bars.at(-1)]
  return (
    <Card title={t(`income.by.${step}`)} aside={<p className={styles.small}>{t('income.chooseBar')}</p>}>
      <p className={styles.chosen}>
        <span>{nameOf(bar.day)}</span>
        <BarFigures bar={bar} />
      </p>
      <div className={styles.chart}>
        <svg
          className={styles.drawing}
          viewBox={`0 0 ${slots * SLOT} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <rect className={styles.marked} x={chosen * SLOT} width={SLOT} height={HEIGHT} />
          {stackBars(bars).map((pieces, place) => (
            <g key={bars[place]?.day} transform={`translate(${place * SLOT + (SLOT - BAR) / 2})`}>
              {pieces.length === 0 && <rect className={styles.none} y={HEIGHT - 12} width={BAR} height={12} />}
              {pieces.map(({ symbol, bottom, height }) => (
                <rect key={symbol} data-symbol={symbol} y={HEIGHT - bottom - height} width={BAR} height={height} />
              ))}
            </g>
          ))}
        </svg>
        <input
          type="range"
          className={styles.slider}
          // The thumb is as wide as a bar, so that it is always exactly over one.
          style={{ inlineSize: `${(bars.length / slots) * 100}%`, '--bars': bars.length } as CSSProperties}
          min={0}
          max={bars.length - 1}
          value={chosen}
          aria-label={t(`income.by.${step}`)}
          aria-valuetext={`${nameOf(bar.day)}: ${isHidden ? t('wallet.hidden.amount') : figuresText(bar, t('income.nothing'))}`}
          onChange={({ target }) => setChosenDay(bars[Number(target.value)]?.day ?? null)}
        />
      </div>
      {first && last && (
        <p className={styles.ends} aria-hidden="true">
          <span>{nameOf(first.day)}</span>
          {first !== last && <span>{nameOf(last.day)}</span>}
        </p>
      )}
      {!isHidden && <IncomeTable income={income} />}
    </Card>
  )
}

/** The name of a bar: its day, or its month. */
function useBarName(step: Income['step']): (day: number) => string {
  const language = useLanguage()
  return (day) => (step === 'day' ? formatDay(day, language) : formatMonth(day, language))
}

const amountText = ({ symbol, amount }: { symbol: Asset; amount: string }): string =>
  `${formatAmount(amount, placesOf[symbol])}\u00a0${symbol}`

const figuresText = ({ symbols }: IncomeBar, nothing: string): string =>
  symbols.length === 0 ? nothing : symbols.map(amountText).join(', ')

function BarFigures({ bar }: { bar: IncomeBar }) {
  const t = useText()
  if (useIsHidden())
    return (
      <span className={styles.barFigures}>
        <HiddenAmount />
      </span>
    )
  if (bar.symbols.length === 0) return <span className={styles.barFigures}>{t('income.nothing')}</span>
  const isOnlyUsdt = bar.symbols.every(({ symbol }) => symbol === 'USDT')
  return (
    <span className={styles.barFigures}>
      {bar.symbols.map((one) => (
        <span key={one.symbol} className={styles.figure}>
          {amountText(one)}
        </span>
      ))}
      {!isOnlyUsdt && (
        <span className={styles.light}>{`≈ ${formatAmount(bar.total.values, valuePlaces)}\u00a0USDT`}</span>
      )}
    </span>
  )
}

/** Exact amounts, newest first, so that the columns add up to the sums of the period. */
function IncomeTable({ income: { bars, symbols, step } }: { income: Income }) {
  const t = useText()
  const nameOf = useBarName(step)
  const columns = assets.filter((asset) => bars.some((bar) => bar.symbols.some(({ symbol }) => symbol === asset)))
  const cell = (bar: Pick<IncomeBar, 'symbols'>, asset: Asset): string =>
    formatAmount(bar.symbols.find(({ symbol }) => symbol === asset)?.amount ?? '0', { least: 0, most: 36 })
  return (
    <details className={styles.table}>
      <summary>{t('income.asTable')}</summary>
      <table>
        <caption className="visually-hidden">{t(`income.by.${step}`)}</caption>
        <thead>
          <tr>
            <th scope="col">{t(`income.columns.${step}`)}</th>
            {columns.map((asset) => (
              <th key={asset} scope="col">
                {asset}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...bars].reverse().map((bar) => (
            <tr key={bar.day}>
              <th scope="row">{nameOf(bar.day)}</th>
              {columns.map((asset) => (
                <td key={asset}>{cell(bar, asset)}</td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('income.columns.sum')}</th>
            {columns.map((asset) => (
              <td key={asset}>{cell({ symbols }, asset)}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </details>
  )
}
