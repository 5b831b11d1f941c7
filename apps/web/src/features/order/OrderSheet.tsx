import { useEffect, useRef } from 'react'
import { dismiss, followPayments, isEnded, usePayments } from '../../chain/payment/index.ts'
import { refusalOf } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Button, Loaded, OldNote, Sheet, StateNote } from '../../shared/ui/index.ts'
import { PaymentFoot, PaymentProgress, paymentName, useKeptFocus } from '../payment/index.ts'
import { CancelOrder } from './CancelOrder.tsx'
import { OrderHead } from './OrderHead.tsx'
import { OrderNote, OrderProgress } from './OrderProgress.tsx'
import styles from './order.module.css'
import { hasEnded, type PaidOrder } from './order.ts'
import { PayBody, PayFoot } from './PayParts.tsx'
import { closeOrder, useOrderSheet } from './sheet.ts'
import { isIdle, type Showing, showingOf } from './showing.ts'
import { type Subjects, subjectOf } from './subject.ts'
import { useOrder, usePaymentOf } from './use-order.ts'
import { type Paying, usePaying } from './use-paying.ts'

/** The sheet of one order, from its creation to its end. */
export function OrderSheet({ subjects }: { subjects: Subjects }) {
  useEffect(followPayments, [])
  const { id, open } = useOrderSheet()
  // It stays after the server has ended the session, because a payment continues from the chain alone.
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
  const showing = showingOf(order, payment)
  const subject = order && subjectOf(subjects, order)
  const body = useRef<HTMLDivElement>(null)
  useKeptFocus(body, `${showing.kind} ${order?.state} ${payment?.stage.at} ${paying.surveyed.kind}`)

  // The wallet was never asked to pay, and the order can no longer be paid.
  useEffect(() => {
    if (order && payment && isIdle(order, payment)) dismiss(payment.intent.id)
  }, [order, payment])

  function close(): void {
    if (order && hasEnded(order) && payment && isEnded(payment)) dismiss(payment.intent.id)
    closeOrder()
  }

  const title = order && subject ? subject.title(t, order) : payment ? paymentName(t, payment.intent) : t('order.title')
  const foot = showing.kind !== 'loading' && (
    <OrderFoot showing={showing} order={order} paying={paying} onClose={close} />
  )
  return (
    <Sheet open={open} onClose={close} title={title} foot={foot}>
      <div ref={body} className={styles.body}>
        <OrderBody showing={showing} query={query} paying={paying} subject={subject} />
      </div>
    </Sheet>
  )
}

type OrderBodyProps = {
  showing: Showing
  query: ReturnType<typeof useOrder>
  paying: Paying
  subject: ReturnType<typeof subjectOf> | undefined
}

function OrderBody({ showing, query, paying, subject }: OrderBodyProps) {
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
          {query.order && <OrderNote order={query.order} />}
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

type OrderFootProps = {
  showing: Exclude<Showing, { kind: 'loading' }>
  order: PaidOrder | undefined
  paying: Paying
  onClose: () => void
}

function OrderFoot({ showing, order, paying, onClose }: OrderFootProps) {
  const t = useText()
  const leaving = useSession(({ exit }) => exit)
  switch (showing.kind) {
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
          onClose={onClose}
          onTryAgain={() => dismiss(showing.payment.intent.id)}
          credited={<Button onClick={onClose}>{t('common.close')}</Button>}
          also={order && <CancelOrder order={order} />}
        />
      )
    case 'order':
      return hasEnded(showing.order) ? (
        <Button onClick={onClose}>{t('payment.done')}</Button>
      ) : (
        <Button tone="quiet" onClick={onClose}>
          {t('common.close')}
        </Button>
      )
  }
}

function Missing({ query }: { query: ReturnType<typeof useOrder> }) {
  const t = useText()
  const { data, error } = query
  const isUnknown = data !== undefined || ['order-unknown', 'format'].includes(refusalOf(error) ?? '')
  if (isUnknown) return <StateNote title={t('order.unknown')} text={t('order.unknownText')} />
  return (
    <Loaded query={query} failed={t('order.failed')} offline={t('order.offlineText')}>
      {() => <OrderHead order={undefined} />}
    </Loaded>
  )
}
