import { wholePlaces } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { LargeAmount, Skeleton } from '../../shared/ui/index.ts'
import { OrderPill } from './OrderPill.tsx'
import styles from './order.module.css'
import type { PayableOrder } from './order.ts'
import { partsText } from './parts-text.ts'

/** The order's state and amount, and how it is paid: online, from the balance, or with both parts. */
export function OrderHead({ order }: { order: PayableOrder | undefined }) {
  const t = useText()
  if (!order)
    return (
      <div className={styles.head}>
        <p>
          <Skeleton>{t('order.states.confirming')}</Skeleton>
        </p>
        <span className={styles.headAmount}>
          <Skeleton>000.00 USDT</Skeleton>
        </span>
      </div>
    )
  const { symbol, amount } = order
  return (
    <div className={styles.head}>
      <p role="status">
        <OrderPill order={order} />
      </p>
      <LargeAmount size="hero" value={amount} symbol={symbol} places={wholePlaces(symbol)} />
      <p className={styles.small}>{partsText(t, order)}</p>
    </div>
  )
}
