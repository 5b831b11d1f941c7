import { useNow } from '../../shared/clock/index.ts'
import { formatRecent, formatWholeAmount } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card } from '../../shared/ui/index.ts'
import { closingText } from './closing-text.ts'
import { OrderPill } from './OrderPill.tsx'
import styles from './order.module.css'
import type { PayableOrder } from './order.ts'
import { useNewestOrder } from './orders-in-block.ts'

type OpenOrderProps = {
  order: PayableOrder
  title: string
  /** The text while the payment is confirming: what happens as soon as it is final. */
  confirming: string
}

/** The open order, and what it waits for. */
export function OpenOrder({ order: reported, title, confirming }: OpenOrderProps) {
  const t = useText()
  const order = useNewestOrder(reported)
  const language = useLanguage()
  const now = useNow(10_000)
  const stateText = () => {
    switch (order.state) {
      case 'paying':
        return t('order.open', {
          amount: formatWholeAmount(order.payAmount, order.symbol),
          time: order.deadline ? formatRecent(order.deadline, now, language) : '',
        })
      case 'closing':
        return closingText(t, order, now, language)
      case 'confirming':
        return confirming
      case 'success':
      case 'failed':
        return ''
    }
  }
  return (
    <Card title={title} aside={<OrderPill order={order} />}>
      <p className={styles.words}>{stateText()}</p>
    </Card>
  )
}
