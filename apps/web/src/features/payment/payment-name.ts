import type { Intent } from '../../chain/payment/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import { amountText } from './payment-amount.ts'

/** A short name of the payment, with its amount. */
export const paymentName = (t: TextFunction, intent: Intent): string =>
  t(intent.purpose.kind === 'order' ? 'payment.ofOrder' : 'deposit.name', { amount: amountText(intent) })
