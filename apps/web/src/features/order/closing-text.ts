import type { Language } from '@lode/wire'
import type { TFunction } from 'i18next'
import { formatRecent, isZero } from '../../shared/format/index.ts'
import type { PaidOrder } from './order.ts'

/** What still happens to an order that was canceled or is late. */
export function closingText(t: TFunction, order: PaidOrder, now: number, language: Language): string {
  const time = order.closesAt ? formatRecent(order.closesAt, now, language) : ''
  return t(isZero(order.balancePart) ? 'order.closingOnline' : 'order.closing', { time })
}
