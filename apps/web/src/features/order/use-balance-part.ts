import { type Asset, formatAmount, units } from '@lode/kernel'
import { useState } from 'react'
import { formatWholeAmount, parseEnteredAmount, wrongAmountText } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { amountAtPosition, maxFromBalance, sliderPosition } from './balance-slider.ts'

export type BalancePartForm = ReturnType<typeof useBalancePart>

type BalancePartOptions = {
  readonly symbol: Asset
  readonly decimals: number
  readonly price: bigint
  readonly available: bigint
  /** The initial input. If undefined, as much as possible is paid from the balance. */
  readonly first: string | undefined
}

/**
 * The part of a price that is paid from the balance, typed or chosen with the slider, and the rest to pay online. An
 * empty input is zero.
 */
export function useBalancePart({ symbol, decimals, price, available, first }: BalancePartOptions) {
  const t = useText()
  const [written, setText] = useState(first)
  const most = maxFromBalance(price, available)
  const canonical = (value: bigint): string => formatAmount(units(symbol, value), decimals)
  // Until the member changes it, the input follows the price and the balance, which may be read again.
  const text = written ?? (most > 0n ? canonical(most) : '')
  const entered = parseEnteredAmount(symbol, decimals, text)
  const value = entered.ok ? entered.value : ['empty', 'zero'].includes(entered.error.kind) ? 0n : null
  const error =
    !entered.ok && value === null
      ? wrongAmountText(t, entered.error, symbol, decimals)
      : value !== null && value > price
        ? t('order.part.abovePrice', { amount: formatWholeAmount(canonical(price), symbol) })
        : value !== null && value > available
          ? t('refusals.balance-insufficient')
          : undefined
  const part = error === undefined ? value : null
  return {
    symbol,
    text,
    error,
    most,
    part,
    canonical,
    available,
    online: part === null ? null : price - part,
    position: sliderPosition(value ?? 0n, most),
    write: setText,
    slide: (position: number) => setText(canonical(amountAtPosition(position, most, decimals))),
    writeMost: () => setText(canonical(most)),
  }
}
