import { parseAmount } from '@lode/kernel'
import { parseEnteredAmount } from '../../shared/format/index.ts'

type QuantityLimits = {
  /** The plan's minimum: a pledge must be larger than this. BTN as an amount text. */
  readonly above: string
  readonly decimals: number
}

export type ParsedQuantity =
  | { readonly kind: 'empty' }
  /** The text is not a number, or it has too many digits. */
  | { readonly kind: 'format' }
  | { readonly kind: 'not-whole' }
  | { readonly kind: 'too-few' }
  | { readonly kind: 'valid'; readonly whole: bigint }

/** The most digits that the wire allows for a quantity. */
const MAX_DIGITS = 18

/** Parses a quantity: whole BTN, above the plan's minimum. */
export function parsePledgeQuantity(text: string, { above, decimals }: QuantityLimits): ParsedQuantity {
  const entered = parseEnteredAmount('BTN', 0, text)
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
        return parsePledgeQuantity(entered.error.whole, { above, decimals })
      case 'not-a-number':
      case 'too-large':
        return { kind: 'format' }
    }
  }
  const whole = entered.value
  if (String(whole).length > MAX_DIGITS) return { kind: 'format' }
  return whole * 10n ** BigInt(decimals) > parseUnits(above, decimals) ? { kind: 'valid', whole } : { kind: 'too-few' }
}

/** All whole coins of a balance; null if they are not enough for a pledge. */
export function findMaxQuantity(available: string, bounds: QuantityLimits): bigint | null {
  const [whole = '0'] = available.split('.')
  const most = parsePledgeQuantity(whole, bounds)
  return most.kind === 'valid' ? most.whole : null
}

function parseUnits(amount: string, decimals: number): bigint {
  const parsed = parseAmount('BTN', decimals, amount)
  if (!parsed.ok) throw new Error(`The pool sent an invalid amount, ${amount} BTN: ${parsed.error}`)
  return parsed.value
}
