import { useNow } from '../../shared/clock/index.ts'
import { formatRecent, wholeAmount } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { Card } from '../../shared/ui/index.ts'
import { closingText, OrderPill } from '../order/index.ts'
import { orderTitle } from './order-title.ts'
import styles from './promotion.module.css'
import type { PromotionOrder } from './use-promotion.ts'

/** The order that is open, and what it waits for. */
export function OpenOrder({ order }: { order: PromotionOrder }) {
  const t = useText()
  const language = useLanguage()
  const now = useNow(10_000)
  const words = () => {
    switch (order.state) {
      case 'paying':
        return t('promotion.open.paying', {
          amount: wholeAmount(order.payAmount, order.symbol),
          time: order.deadline ? formatRecent(order.deadline, now, language) : '',
        })
      case 'closing':
        return closingText(t, order, now, language)
      case 'confirming':
        return t('promotion.open.confirming', { level: order.level })
      case 'success':
      case 'failed':
        return ''
    }
  }
  return (
    <Card title={orderTitle(t, order)} aside={<OrderPill state={order.state} />}>
      <p className={styles.words}>{words()}</p>
    </Card>
  )
}
