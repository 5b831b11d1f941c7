import type { Language } from '@lode/wire'
import type { TFunction } from 'i18next'
import { formatRecent, isZero } from '../../shared/format/index.ts'
import type { PaidOrder } from './order.ts'

/** What is still to come of an order that is cancelled or late. */
export function closingText(t: TFunction, order: PaidOrder, now: number, language: Language): string {
  const time = order.closesAt ? formatRecent(order.closesAt, now, language) : ''
  return t(isZero(order.balancePart) ? 'order.closingOnline' : 'order.closing', { time })
}
