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
  /** The initial input. */
  readonly first?: string
}

/**
 * The part of a price that is paid from the balance, typed or chosen with the slider, and the rest to pay online. An
 * empty input is zero.
 */
export function useBalancePart({ symbol, decimals, price, available, first = '' }: BalancePartOptions) {
  const t = useText()
  const [text, setText] = useState(first)
  const most = maxFromBalance(price, available)
  const canonical = (value: bigint): string => formatAmount(units(symbol, value), decimals)
  const entered = parseEnteredAmount(symbol, decimals, text)
  const written = entered.ok ? entered.value : ['empty', 'zero'].includes(entered.error.kind) ? 0n : null
  const error =
    !entered.ok && written === null
      ? wrongAmountText(t, entered.error, symbol, decimals)
      : written !== null && written > price
        ? t('order.part.abovePrice', { amount: formatWholeAmount(canonical(price), symbol) })
        : written !== null && written > available
          ? t('refusals.balance-insufficient')
          : undefined
  const part = error === undefined ? written : null
  return {
    symbol,
    text,
    error,
    most,
    part,
    canonical,
    available,
    online: part === null ? null : price - part,
    position: sliderPosition(written ?? 0n, most),
    write: setText,
    slide: (position: number) => setText(canonical(amountAtPosition(position, most, decimals))),
    writeMost: () => setText(canonical(most)),
  }
}
