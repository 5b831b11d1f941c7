import type { TFunction } from 'i18next'
import type { Intent } from '../../chain/payment/index.ts'
import { amountText } from './payment-amount.ts'

/** A short name of the payment, with its amount. */
export const paymentName = (t: TFunction, intent: Intent): string =>
  t(intent.purpose.kind === 'order' ? 'payment.ofOrder' : 'deposit.name', { amount: amountText(intent) })
