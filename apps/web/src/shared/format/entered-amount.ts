import { type Asset, assertNever, ok, parseAmount, type Result, refused } from '@lode/kernel'
import type { TextFunction } from '../i18n/index.ts'

type WrongAmount =
  | { readonly kind: 'empty' | 'not-a-number' | 'too-precise' | 'too-large' | 'zero' }
  /** A comma before three digits can mean thousands or decimals. The message shows both readings. */
  | { readonly kind: 'ambiguous'; readonly whole: string; readonly decimal: string }

/**
 * Parses an amount as people write it: spaces, apostrophes or commas between thousands, a comma or a point before the
 * decimals, or the full-width digits of Chinese keyboards. It never guesses at an ambiguous text, because it is money.
 */
export function parseEnteredAmount(asset: Asset, decimals: number, text: string): Result<bigint, WrongAmount> {
  const plain = text
    .normalize('NFKC')
    .replace(/[\s'’_]/g, '')
    .replaceAll('。', '.')
    .replaceAll('、', ',')
  if (plain === '') return refused({ kind: 'empty' })
  const withoutCommas = resolveCommas(plain)
  if (!withoutCommas.ok) return withoutCommas
  const amount = parseAmount(asset, decimals, toCanonical(withoutCommas.value))
  if (!amount.ok) return refused({ kind: amount.error === 'not-canonical' ? 'not-a-number' : amount.error })
  return amount.value === 0n ? refused({ kind: 'zero' }) : ok(amount.value)
}

const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+$/

function resolveCommas(text: string): Result<string, WrongAmount> {
  if (!text.includes(',')) return ok(text)
  const [whole = '', ...rest] = text.split('.')
  if (rest.length > 0) {
    // With a point in the text, commas can only separate thousands.
    const grouped = GROUPED.test(whole) && rest.length === 1 && !rest[0]?.includes(',')
    return grouped ? ok(text.replaceAll(',', '')) : refused({ kind: 'not-a-number' })
  }
  const commas = text.split(',').length - 1
  if (commas > 1) return GROUPED.test(text) ? ok(text.replaceAll(',', '')) : refused({ kind: 'not-a-number' })
  if (GROUPED.test(text))
    return refused({ kind: 'ambiguous', whole: text.replace(',', ''), decimal: text.replace(',', '.') })
  return ok(text.replace(',', '.'))
}

/** The canonical form: no leading and no trailing zeros. */
function toCanonical(text: string): string {
  const match = /^(\d*)(?:\.(\d*))?$/.exec(text)
  if (!match || text === '.') return text
  const [, whole = '', fraction = ''] = match
  const decimals = fraction.replace(/0+$/, '')
  return `${whole.replace(/^0+(?=\d)/, '') || '0'}${decimals && `.${decimals}`}`
}

export function wrongAmountText(t: TextFunction, wrong: WrongAmount, symbol: Asset, decimals: number): string {
  switch (wrong.kind) {
    case 'empty':
      return t('common.amount.empty')
    case 'not-a-number':
      return t('common.amount.notANumber')
    case 'ambiguous':
      return t('common.amount.ambiguous', { whole: wrong.whole, decimal: wrong.decimal })
    case 'too-precise':
      return t('common.amount.tooPrecise', { symbol, decimals })
    case 'too-large':
      return t('common.amount.tooLarge')
    case 'zero':
      return t('common.amount.zero')
    default:
      return assertNever(wrong)
  }
}
