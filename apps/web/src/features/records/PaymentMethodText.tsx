import { paymentMethods } from '@lode/wire'
import { formatWholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { PayableOrder } from '../order/index.ts'
import styles from './records.module.css'

type PaymentMethodTextProps = { record: Pick<PayableOrder, 'method' | 'symbol' | 'balancePart' | 'payAmount'> }

/** The payment method, and both parts if there are two. */
export function PaymentMethodText({ record }: PaymentMethodTextProps) {
  const t = useText()
  const { method, symbol, balancePart, payAmount } = record
  return (
    <p className={styles.small}>
      {t(`records.methods.${method}`)}
      {method === paymentMethods.mixed &&
        ` · ${t('records.parts', {
          balance: formatWholeAmount(balancePart, symbol),
          online: formatWholeAmount(payAmount, symbol),
        })}`}
    </p>
  )
}
