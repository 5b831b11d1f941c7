import type { Language } from '@lode/wire'
import { formatRecent, isZero } from '../../shared/format/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import type { PayableOrder } from './order.ts'

/** Explains what happens to an order that was canceled, or whose deadline has passed, until it is closed. */
export function closingText(t: TextFunction, order: PayableOrder, now: number, language: Language): string {
  const time = order.closesAt ? formatRecent(order.closesAt, now, language) : ''
  return t(isZero(order.balancePart) ? 'order.closingOnline' : 'order.closing', { time })
}
