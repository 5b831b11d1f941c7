import { orderTypes } from '@lode/wire'
import type { TFunction } from 'i18next'
import type { PaidOrder } from '../order/index.ts'
import type { Payment } from './use-records.ts'

/** What was ordered, or paid for. */
export function recordName(t: TFunction, record: PaidOrder | Payment): string {
  switch (record.type) {
    case orderTypes.promotion:
      return t('promotion.order.name', { level: record.level })
    case orderTypes.pledge:
      return t('pledge.order.name', { count: record.termDays })
  }
}
