import { formatWholeAmount, isZero } from '../../shared/format/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import { hasPaymentArrived, type PayableOrder } from './order.ts'

type PaidParts = Pick<PayableOrder, 'state' | 'failure' | 'symbol' | 'balancePart' | 'payAmount'>

/** From where an order is paid. The part from the wallet is called paid only if its payment has arrived. */
export function partsText(t: TextFunction, order: PaidParts): string {
  const { symbol, balancePart, payAmount } = order
  const parts = { balance: formatWholeAmount(balancePart, symbol), online: formatWholeAmount(payAmount, symbol) }
  if (isZero(payAmount)) return t('order.parts', parts)
  const from = isZero(balancePart) ? 'online' : 'mixed'
  return t(`order.${paymentProgress(order)}.${from}`, parts)
}

function paymentProgress(order: PaidParts): 'toPay' | 'notPaid' | 'paid' {
  if (order.state === 'paying') return 'toPay'
  return hasPaymentArrived(order) ? 'paid' : 'notPaid'
}
