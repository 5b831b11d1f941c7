import { orderTypes } from '@lode/wire'
import type { TextFunction } from '../../shared/i18n/index.ts'
import type { PayableOrder } from '../order/index.ts'
import type { OrderPaymentRecord } from './use-records.ts'

/** The name of what was ordered or paid. */
export function recordName(t: TextFunction, record: PayableOrder | OrderPaymentRecord): string {
  switch (record.type) {
    case orderTypes.promotion:
      return t('promotion.order.name', { level: record.level })
    case orderTypes.pledge:
      return t('pledge.order.name', { count: record.termDays })
  }
}
