import { paymentMethods } from '@lode/wire'
import { wholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { PaidOrder } from '../order/index.ts'
import styles from './records.module.css'

type MethodProps = { record: Pick<PaidOrder, 'method' | 'symbol' | 'balancePart' | 'payAmount'> }

/** The payment method, and both parts if there are two. */
export function Method({ record }: MethodProps) {
  const t = useText()
  const { method, symbol, balancePart, payAmount } = record
  return (
    <p className={styles.small}>
      {t(`records.methods.${method}`)}
      {method === paymentMethods.mixed &&
        ` · ${t('records.parts', {
          balance: wholeAmount(balancePart, symbol),
          online: wholeAmount(payAmount, symbol),
        })}`}
    </p>
  )
}
