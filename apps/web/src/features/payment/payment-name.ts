import type { TFunction } from 'i18next'
import type { Intent } from '../../chain/payment/index.ts'
import { amountText } from './amount-of.ts'

/** What is paid, in a word or two, with how much. */
export const paymentName = (t: TFunction, intent: Intent): string =>
  t(intent.purpose.kind === 'order' ? 'payment.ofOrder' : 'deposit.name', { amount: amountText(intent) })
