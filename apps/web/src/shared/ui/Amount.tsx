import type { Asset } from '@lode/kernel'
import type { CSSProperties, ReactNode } from 'react'
import { amountParts, type Places } from '../format/index.ts'
import styles from './Amount.module.css'
import { classNames } from './class-names.ts'
import { HiddenAmount, useIsHidden } from './own-amounts.tsx'

type AmountProps = {
  /** A canonical amount without a sign. */
  value: string
  /** Shown after the amount. Omitted if the page is about one asset and names it. */
  symbol?: Asset
  places: Places
  sign?: '+' | '−' | '='
}

/** Draws an amount with tabular digits: the whole part bold, the decimals lighter. Breaks only in a narrow frame. */
export function Amount({ value, symbol, places, sign }: AmountProps) {
  const { whole, fraction, cut } = amountParts(value, places)
  if (useIsHidden())
    return (
      <span className={styles.amount}>
        <HiddenAmount />
        {symbol && <span className={styles.light}>{` ${symbol}`}</span>}
      </span>
    )
  return (
    <span className={styles.amount} title={cut ? `${value}${symbol ? ` ${symbol}` : ''}` : undefined}>
      {sign}
      {whole}
      <span className={styles.light}>
        {fraction}
        {symbol && ` ${symbol}`}
      </span>
    </span>
  )
}

/** The dots of a hidden amount. */
const HIDDEN_CHARACTERS = 4
/** As wide as an icon and the distance before it. */
const ICON_CHARACTERS = 2

type LargeAmountProps = {
  size: 'hero' | 'large' | 'medium' | 'small'
  value: string
  symbol?: Asset
  places: Places
  /** An icon that follows the amount, wherever it ends. */
  after?: ReactNode
}

/** Draws an amount in one of four sizes. The size shrinks if the amount would not fit. */
export function LargeAmount({ size, value, symbol, places, after }: LargeAmountProps) {
  const { whole, fraction } = amountParts(value, places)
  // The length of a hidden amount would tell how large it is.
  const digits = useIsHidden() ? HIDDEN_CHARACTERS : whole.length + fraction.length
  const characters = digits + (symbol ? symbol.length + 1 : 0) + (after ? ICON_CHARACTERS : 0)
  return (
    <span className={styles.fitted}>
      <span
        className={classNames(styles.fitting, styles[size])}
        style={{ '--characters': characters } as CSSProperties}
      >
        <Amount value={value} places={places} {...(symbol && { symbol })} />
        {after}
      </span>
    </span>
  )
}
