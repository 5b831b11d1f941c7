import { useNow } from '../../shared/clock/index.ts'
import { formatRecent, wholeAmount } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card } from '../../shared/ui/index.ts'
import { closingText } from './closing-text.ts'
import { OrderPill } from './OrderPill.tsx'
import styles from './order.module.css'
import type { PaidOrder } from './order.ts'

type OpenOrderProps = {
  order: PaidOrder
  title: string
  /** What happens as soon as the payment is final. */
  confirming: string
}

/** The open order, and what it waits for. */
export function OpenOrder({ order, title, confirming }: OpenOrderProps) {
  const t = useText()
  const language = useLanguage()
  const now = useNow(10_000)
  const words = () => {
    switch (order.state) {
      case 'paying':
        return t('order.open', {
          amount: wholeAmount(order.payAmount, order.symbol),
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
    <Card title={title} aside={<OrderPill state={order.state} />}>
      <p className={styles.words}>{words()}</p>
    </Card>
  )
}
