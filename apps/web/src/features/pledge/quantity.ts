import { parseAmount } from '@lode/kernel'
import { enteredAmount } from '../../shared/format/index.ts'

type Bounds = {
  /** The plan's minimum: a pledge must be larger than this. BTN as an amount text. */
  readonly above: string
  readonly decimals: number
}

export type Quantity =
  | { readonly kind: 'empty' }
  /** The text is not a number. */
  | { readonly kind: 'format' }
  | { readonly kind: 'not-whole' }
  | { readonly kind: 'too-few' }
  | { readonly kind: 'taken'; readonly whole: bigint }

/** The most digits that the wire allows for a quantity. */
const MOST_DIGITS = 18

/** Parses a quantity: whole BTN, above the plan's minimum. */
export function quantityOf(text: string, { above, decimals }: Bounds): Quantity {
  const entered = enteredAmount('BTN', 0, text)
  if (!entered.ok) {
    switch (entered.error.kind) {
      case 'empty':
        return { kind: 'empty' }
      case 'too-precise':
        return { kind: 'not-whole' }
      case 'zero':
        return { kind: 'too-few' }
      // A comma before three digits. Quantities are whole coins, so it can only separate thousands.
      case 'ambiguous':
        return quantityOf(entered.error.whole, { above, decimals })
      case 'not-a-number':
      case 'too-large':
        return { kind: 'format' }
    }
  }
  const whole = entered.value
  if (String(whole).length > MOST_DIGITS) return { kind: 'format' }
  return whole * 10n ** BigInt(decimals) > unitsOf(above, decimals) ? { kind: 'taken', whole } : { kind: 'too-few' }
}

/** All whole coins of a balance; null if they are not enough for a pledge. */
export function mostOf(available: string, bounds: Bounds): bigint | null {
  const [whole = '0'] = available.split('.')
  const most = quantityOf(whole, bounds)
  return most.kind === 'taken' ? most.whole : null
}

function unitsOf(amount: string, decimals: number): bigint {
  const parsed = parseAmount('BTN', decimals, amount)
  if (!parsed.ok) throw new Error(`The pool says ${amount} BTN: ${parsed.error}`)
  return parsed.value
}
