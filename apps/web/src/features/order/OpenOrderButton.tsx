import { formatWholeAmount } from '../../shared/format/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/index.ts'
import type { PayableOrder } from './order.ts'
import { showOrder } from './order-sheet-state.ts'
import { useNewestOrder } from './orders-in-block.ts'

type OpenOrderButtonProps = { order: PayableOrder; isExitSession: boolean }

/** Shows the open order. Until it has ended, the member cannot make another order of the same type. */
export function OpenOrderButton({ order, isExitSession }: OpenOrderButtonProps) {
  const t = useText()
  const { state } = useNewestOrder(order)
  return (
    <Button onClick={() => showOrder(order.id)}>
      {state === 'paying' && !isExitSession
        ? t('order.pay', { amount: formatWholeAmount(order.payAmount, order.symbol) })
        : t('order.see')}
    </Button>
  )
}
