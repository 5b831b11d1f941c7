import { useEffect, useRef } from 'react'
import { dismiss, followPayments, isEnded, usePayments } from '../../chain/payment/index.ts'
import { errorText, refusalOf } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Button, LoadingStatus, NotLoaded, OldNote, Sheet, StateNote } from '../../shared/ui/index.ts'
import { PaymentFoot, PaymentProgress, paymentName, useKeptFocus } from '../payment/index.ts'
import { CancelOrder } from './CancelOrder.tsx'
import { OrderHead } from './OrderHead.tsx'
import { OrderNote, OrderProgress } from './OrderProgress.tsx'
import styles from './order.module.css'
import { hasEnded } from './order.ts'
import { PayBody, PayFoot } from './PayParts.tsx'
import { closeOrder, useOrderSheet } from './sheet.ts'
import { isIdle, showingOf } from './showing.ts'
import { type Subjects, subjectOf } from './subject.ts'
import { useOrder, usePaymentOf } from './use-order.ts'
import { usePaying } from './use-paying.ts'

/** The sheet of one order, from its making to its end. */
export function OrderSheet({ subjects }: { subjects: Subjects }) {
  useEffect(followPayments, [])
  const { id, open } = useOrderSheet()
  // Stays when the server has ended the session: what was begun goes on from the chain alone.
  const account = usePayments((state) => state.account)
  if (id === null || account === null) return null
  return <OneOrder key={id} id={id} account={account} open={open} subjects={subjects} />
}

type OneOrderProps = { id: string; account: string; open: boolean; subjects: Subjects }

function OneOrder({ id, account, open, subjects }: OneOrderProps) {
  const t = useText()
  const query = useOrder(id, open)
  const { order } = query
  const payment = usePaymentOf(id)
  const paying = usePaying(order, account)
  const leaving = useSession(({ exit }) => exit)
  const showing = showingOf(order, payment)
  const subject = order && subjectOf(subjects, order)
  const body = useRef<HTMLDivElement>(null)
  useKeptFocus(body, `${showing.kind} ${order?.state} ${payment?.stage.at} ${paying.surveyed.kind}`)

  // Nothing was asked for, and nothing can be any more.
  useEffect(() => {
    if (order && payment && isIdle(order, payment)) dismiss(payment.intent.id)
  }, [order, payment])

  function close(): void {
    if (order && hasEnded(order) && payment && isEnded(payment)) dismiss(payment.intent.id)
    closeOrder()
  }

  function bodyOf() {
    switch (showing.kind) {
      case 'loading':
        return <Missing query={query} />
      case 'pay':
        return (
          <>
            <OrderHead order={showing.order} />
            <PayBody order={showing.order} paying={paying} />
          </>
        )
      case 'payment':
        return (
          <>
            <PaymentProgress payment={showing.payment} />
            {order && <OrderNote order={order} />}
          </>
        )
      case 'order':
        return (
          <>
            <div>
              <OldNote since={query.isRefetchError ? query.dataUpdatedAt : null} />
              <OrderHead order={showing.order} />
            </div>
            {showing.order.state === 'success' && subject && <subject.Outcome order={showing.order} />}
            <OrderProgress order={showing.order} />
          </>
        )
    }
  }

  function footOf() {
    switch (showing.kind) {
      case 'loading':
        return undefined
      case 'pay':
        return (
          <>
            {!leaving && <PayFoot paying={paying} />}
            <CancelOrder order={showing.order} />
          </>
        )
      case 'payment':
        return (
          <PaymentFoot
            payment={showing.payment}
            onClose={close}
            onTryAgain={() => dismiss(showing.payment.intent.id)}
            credited={<Button onClick={close}>{t('common.close')}</Button>}
            also={order && <CancelOrder order={order} />}
          />
        )
      case 'order':
        return hasEnded(showing.order) ? (
          <Button onClick={close}>{t('payment.done')}</Button>
        ) : (
          <Button tone="quiet" onClick={close}>
            {t('common.close')}
          </Button>
        )
    }
  }

  const title = order && subject ? subject.title(t, order) : payment ? paymentName(t, payment.intent) : t('order.title')
  return (
    <Sheet open={open} onClose={close} title={title} foot={footOf()}>
      <div ref={body} className={styles.body}>
        {bodyOf()}
      </div>
    </Sheet>
  )
}

function Missing({ query }: { query: ReturnType<typeof useOrder> }) {
  const t = useText()
  const { data, error, isPaused, isFetching, refetch } = query
  const isUnknown = data !== undefined || ['order-unknown', 'format'].includes(refusalOf(error) ?? '')
  if (isUnknown) return <StateNote title={t('order.unknown')} text={t('order.unknownText')} />
  if (error || isPaused)
    return (
      <NotLoaded
        title={t('order.failed')}
        reason={error && errorText(t, error)}
        offline={isPaused ? t('order.offlineText') : null}
        busy={isFetching}
        onRetry={refetch}
      />
    )
  return (
    <>
      <LoadingStatus />
      <OrderHead order={undefined} />
    </>
  )
}
