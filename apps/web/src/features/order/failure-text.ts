import type { OrderFailure } from '@lode/wire'
import { formatWholeAmount, isZero } from '../../shared/format/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import type { PayableOrder } from './order.ts'

/** Why an order failed, and where its money is. */
export function failureText(
  t: TextFunction,
  { symbol, balancePart, payAmount }: Pick<PayableOrder, 'symbol' | 'balancePart' | 'payAmount'>,
  failure: OrderFailure,
): string {
  const amounts = { balance: formatWholeAmount(balancePart, symbol), online: formatWholeAmount(payAmount, symbol) }
  return t(isZero(balancePart) ? `order.failuresOnline.${failure}` : `order.failures.${failure}`, amounts)
}
