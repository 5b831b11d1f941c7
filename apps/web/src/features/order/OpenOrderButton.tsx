import { wholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/index.ts'
import type { PaidOrder } from './order.ts'
import { openOrder } from './sheet.ts'

type OpenOrderButtonProps = { order: PaidOrder; leaving: boolean }

/** Opens the open order. Nothing else can be ordered until it has ended. */
export function OpenOrderButton({ order, leaving }: OpenOrderButtonProps) {
  const t = useText()
  return (
    <Button onClick={() => openOrder(order.id)}>
      {order.state === 'paying' && !leaving
        ? t('order.pay', { amount: wholeAmount(order.payAmount, order.symbol) })
        : t('order.see')}
    </Button>
  )
}
