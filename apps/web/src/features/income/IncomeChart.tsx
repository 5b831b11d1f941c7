import { type Asset, assets } from '@lode/kernel'
import { type CSSProperties, useState } from 'react'
import { formatAmount, formatDay, formatMonth, placesOf, valuePlaces } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card, HiddenAmount, Segmented, useIsHidden } from '../../shared/ui/index.ts'
import styles from './income.module.css'
import { onlySymbol, stackBars } from './stack-bars.ts'
import type { Income, IncomeBar } from './use-income.ts'

/** The size of the drawing, which is stretched to the card. */
const [SLOT, BAR, HEIGHT] = [10, 7, 1_000]
/** Fewer bars than this stand further apart, because they would be too wide. */
const MIN_BARS = 7
/** For `Segmented`, which needs a text. */
const ALL = 'all'

/**
 * The income of each day or month as bars. A slider without a visible track lies over them: a finger, the arrow keys and
 * a screen reader choose a bar with it, and its figures are written above. The same figures are in a table. With several
 * symbols, one of them can be shown alone, because a large airdrop would make every other day look like nothing.
 */
export function IncomeChart({ income }: { income: Income }) {
  const t = useText()
  const { step } = income
  const [chosenDay, setChosenDay] = useState<number | null>(null)
  const received = assets.filter((asset) => income.sources.some(({ symbol }) => symbol === asset))
  const [wanted, setWanted] = useState<Asset | typeof ALL>(ALL)
  const only = received.find((asset) => asset === wanted)
  const bars = only ? onlySymbol(income.bars, only) : income.bars
  const nameOf = useBarName(step)
  const isHidden = useIsHidden()
  // The last bar is chosen until the member chooses another one. A bar that another period lacks is not chosen any more.
  const found = bars.findIndex(({ day }) => day === chosenDay)
  const chosen = found === -1 ? bars.length - 1 : found
  const bar = bars[chosen]
  if (!bar) return null
  const slot = Math.max(SLOT, (MIN_BARS * SLOT) / bars.length)
  const [first, last] = [bars[0], bars.at(-1)]
  return (
    <Card title={t(`income.by.${step}`)} aside={<p className={styles.small}>{t('income.chooseBar')}</p>}>
      {received.length > 1 && (
        <Segmented
          label={t('income.shown')}
          labelHidden
          value={only ?? ALL}
          options={[{ value: ALL, text: t('income.allSymbols') }, ...received.map((value) => ({ value, text: value }))]}
          onValue={setWanted}
        />
      )}
      <p className={styles.chosen}>
        <span>{nameOf(bar.day)}</span>
        <BarFigures bar={bar} />
      </p>
      <div className={styles.chart}>
        <svg
          className={styles.drawing}
          viewBox={`0 0 ${bars.length * slot} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <rect className={styles.marked} x={chosen * slot} width={slot} height={HEIGHT} />
          {stackBars(bars).map((pieces, place) => (
            <g key={bars[place]?.day} transform={`translate(${place * slot + (slot - BAR) / 2})`}>
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
          style={{ '--bars': bars.length } as CSSProperties}
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
  const isPriced = bar.total.without.length < bar.symbols.length
  return (
    <span className={styles.barFigures}>
      {bar.symbols.map((one) => (
        <span key={one.symbol} className={styles.figure}>
          {amountText(one)}
        </span>
      ))}
      {!isOnlyUsdt && isPriced && (
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
