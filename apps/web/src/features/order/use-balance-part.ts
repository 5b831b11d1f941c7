import { type Asset, formatAmount, units } from '@lode/kernel'
import { useState } from 'react'
import { enteredAmount, wholeAmount, wrongAmountText } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { mostFromBalance, partAt, placeOf } from './parts.ts'

export type BalancePartForm = ReturnType<typeof useBalancePart>

type Bounds = {
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
export function useBalancePart({ symbol, decimals, price, available, first = '' }: Bounds) {
  const t = useText()
  const [text, setText] = useState(first)
  const most = mostFromBalance(price, available)
  const canonical = (value: bigint): string => formatAmount(units(symbol, value), decimals)
  const entered = enteredAmount(symbol, decimals, text)
  const written = entered.ok ? entered.value : ['empty', 'zero'].includes(entered.error.kind) ? 0n : null
  const error =
    !entered.ok && written === null
      ? wrongAmountText(t, entered.error, symbol, decimals)
      : written !== null && written > price
        ? t('order.part.abovePrice', { amount: wholeAmount(canonical(price), symbol) })
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
    place: placeOf(written ?? 0n, most),
    write: setText,
    slide: (place: number) => setText(canonical(partAt(place, most, decimals))),
    writeMost: () => setText(canonical(most)),
  }
}
