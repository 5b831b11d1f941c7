import type { DataOf } from '@lode/wire'
import { useState } from 'react'
import { call, failureText, queryClient, read } from '../../shared/api/index.ts'
import { formatRecent, formatWholeAmount, isZero } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { useUnstoredPress } from '../../shared/press/index.ts'
import { Button, ConfirmDialog, Note } from '../../shared/ui/index.ts'
import { invalidateOrderQueries } from './invalidate-order-queries.ts'
import type { PayableOrder } from './order.ts'
import { useNewestOrder } from './orders-in-block.ts'

/** Needs no password, because canceling only returns money to its owner, after the chain has passed the deadline. */
export function CancelOrder({ order }: { order: PayableOrder }) {
  const t = useText()
  const language = useLanguage()
  const { cancellable } = useNewestOrder(order)
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const { busy, failure, ask } = useUnstoredPress<DataOf<'order/cancel'>>()
  const amount = formatWholeAmount(order.balancePart, order.symbol)
  const time = order.deadline ? formatRecent(order.deadline, Date.now(), language) : ''

  async function cancel(): Promise<void> {
    setConfirmOpen(false)
    const outcome = await ask((key) => call('order/cancel', { key, id: order.id }, { quiet: true }))
    if (outcome.kind === 'done')
      queryClient.setQueryData(read('order/detail', { id: order.id }).queryKey, outcome.value)
    else toast.error(failureText(t, outcome.failure))
    invalidateOrderQueries()
  }

  const problem = failure && <Note tone="rose">{failureText(t, failure)}</Note>
  if (!cancellable) return problem
  return (
    <>
      {problem}
      <Button tone="plain" busy={busy} onClick={() => setConfirmOpen(true)}>
        {t('order.cancel')}
      </Button>
      <ConfirmDialog
        open={isConfirmOpen}
        title={t('order.cancelTitle')}
        text={t(isZero(order.balancePart) ? 'order.cancelOnline' : 'order.cancelText', { amount, time })}
        confirm={t('order.cancel')}
        keep={t('order.keep')}
        onConfirm={cancel}
        onClose={() => setConfirmOpen(false)}
      />
    </>
  )
}
