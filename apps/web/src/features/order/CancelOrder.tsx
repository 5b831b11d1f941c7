import type { DataOf } from '@lode/wire'
import { useState } from 'react'
import { call, failureText, queryClient, read } from '../../shared/api/index.ts'
import { formatRecent, isZero, wholeAmount } from '../../shared/format/index.ts'
import { useLanguage, useText } from '../../shared/i18n/index.ts'
import { toast } from '../../shared/notify/index.ts'
import { useAsk } from '../../shared/press/index.ts'
import { Button, ConfirmDialog } from '../../shared/ui/index.ts'
import type { PaidOrder } from './order.ts'
import { tellOfOrder } from './order-changed.ts'

/** Needs no password: canceling only returns money to its owner, and not before the chain has passed the deadline. */
export function CancelOrder({ order }: { order: PaidOrder }) {
  const t = useText()
  const language = useLanguage()
  const [asking, setAsking] = useState(false)
  const { busy, ask } = useAsk<DataOf<'order/cancel'>>()
  const amount = wholeAmount(order.balancePart, order.symbol)
  const time = order.deadline ? formatRecent(order.deadline, Date.now(), language) : ''

  async function cancel(): Promise<void> {
    setAsking(false)
    const outcome = await ask((key) => call('order/cancel', { key, id: order.id }, { quiet: true }))
    if (outcome.kind === 'done')
      queryClient.setQueryData(read('order/detail', { id: order.id }).queryKey, outcome.value)
    else toast.error(failureText(t, outcome.failure))
    tellOfOrder()
  }

  if (!order.cancellable) return null
  return (
    <>
      <Button tone="plain" busy={busy} onClick={() => setAsking(true)}>
        {t('order.cancel')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('order.cancelTitle')}
        text={t(isZero(order.balancePart) ? 'order.cancelOnline' : 'order.cancelText', { amount, time })}
        confirm={t('order.cancel')}
        keep={t('order.keep')}
        onConfirm={cancel}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
