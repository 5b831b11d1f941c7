import { useEffect, useRef } from 'react'
import { dismissPayment, followPayments, isEnded, usePayments } from '../../chain/payment/index.ts'
import { refusalReason } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Button, Loaded, Sheet, StaleNote, StateNote } from '../../shared/ui/index.ts'
import { PaymentFoot, PaymentProgress, paymentName, useDialogFocus } from '../payment/index.ts'
import { CancelOrder } from './CancelOrder.tsx'
import { OrderHead } from './OrderHead.tsx'
import { OrderNote, OrderProgress } from './OrderProgress.tsx'
import styles from './order.module.css'
import { hasEnded, type PayableOrder } from './order.ts'
import { type OrderPresenters, selectPresenter } from './order-presenters.ts'
import { closeOrder, useOrderSheet } from './order-sheet-state.ts'
import { PayBody, PayFoot } from './PayParts.tsx'
import { forgetPlacedOrder } from './placed-order.ts'
import { chooseSheetContent, isAbandonedPayment, type SheetContent } from './sheet-content.ts'
import { useOrder, useOrderPayment } from './use-order.ts'
import { usePayAtOnce } from './use-pay-at-once.ts'
import { type PayOrderState, usePayOrder } from './use-pay-order.ts'

/** The sheet of one order, from its creation to its end. */
export function OrderSheet({ presenters }: { presenters: OrderPresenters }) {
  useEffect(followPayments, [])
  const { id, open } = useOrderSheet()
  // The account stays here after the server has ended the session, because a payment continues from the chain alone.
  const account = usePayments((state) => state.account)
  if (id === null || account === null) return null
  return <OneOrder key={id} id={id} account={account} open={open} presenters={presenters} />
}

type OneOrderProps = { id: string; account: string; open: boolean; presenters: OrderPresenters }

function OneOrder({ id, account, open, presenters }: OneOrderProps) {
  const t = useText()
  const query = useOrder(id, open)
  const { order } = query
  const payment = useOrderPayment(id)
  const paying = usePayOrder(order, account)
  const content = chooseSheetContent(order, payment)
  const atOnce = usePayAtOnce(id, content, paying)
  const presenter = order && selectPresenter(presenters, order)
  const body = useRef<HTMLDivElement>(null)
  useDialogFocus(body, `${content.kind} ${order?.state} ${payment?.stage.at} ${paying.surveyed.kind}`)

  // Nothing was sent, and the order can no longer be paid. So the payment is given up.
  useEffect(() => {
    if (order && payment && isAbandonedPayment(order, payment)) dismissPayment(payment.intent.id)
  }, [order, payment])

  function close(): void {
    if (order && hasEnded(order) && payment && isEnded(payment)) dismissPayment(payment.intent.id)
    forgetPlacedOrder()
    closeOrder()
  }

  const title =
    order && presenter ? presenter.title(t, order) : payment ? paymentName(t, payment.intent) : t('order.title')
  const foot = content.kind !== 'loading' && (
    <OrderFoot content={content} order={order} paying={paying} atOnce={atOnce} onClose={close} />
  )
  return (
    <Sheet open={open} onClose={close} title={title} foot={foot}>
      <div ref={body} className={styles.body}>
        <OrderBody content={content} query={query} paying={paying} atOnce={atOnce} presenter={presenter} />
      </div>
    </Sheet>
  )
}

type OrderBodyProps = {
  content: SheetContent
  query: ReturnType<typeof useOrder>
  paying: PayOrderState
  atOnce: ReturnType<typeof usePayAtOnce>
  presenter: ReturnType<typeof selectPresenter> | undefined
}

function OrderBody({ content, query, paying, atOnce, presenter }: OrderBodyProps) {
  switch (content.kind) {
    case 'loading':
      return <OrderNotLoaded query={query} />
    case 'pay':
      return (
        <>
          <OrderHead order={content.order} />
          <PayBody order={content.order} paying={paying} placed={atOnce.isPlaced} />
        </>
      )
    case 'payment':
      return (
        <>
          <PaymentProgress payment={content.payment} />
          {query.order && <OrderNote order={query.order} />}
        </>
      )
    case 'order':
      return (
        <>
          <div>
            <StaleNote since={query.isRefetchError ? query.dataUpdatedAt : null} />
            <OrderHead order={content.order} />
          </div>
          {content.order.state === 'success' && presenter && <presenter.Outcome order={content.order} />}
          <OrderProgress order={content.order} />
        </>
      )
  }
}

type OrderFootProps = {
  content: Exclude<SheetContent, { kind: 'loading' }>
  order: PayableOrder | undefined
  paying: PayOrderState
  atOnce: ReturnType<typeof usePayAtOnce>
  onClose: () => void
}

function OrderFoot({ content, order, paying, atOnce, onClose }: OrderFootProps) {
  const t = useText()
  const isExitSession = useSession(({ exit }) => exit)
  switch (content.kind) {
    case 'pay':
      return (
        <>
          {!isExitSession && <PayFoot paying={paying} starting={atOnce.isStarting} />}
          <CancelOrder order={content.order} />
        </>
      )
    case 'payment':
      return (
        <PaymentFoot
          payment={content.payment}
          onClose={onClose}
          onTryAgain={() => dismissPayment(content.payment.intent.id)}
          credited={<Button onClick={onClose}>{t('common.close')}</Button>}
          also={order && <CancelOrder order={order} />}
        />
      )
    case 'order':
      return hasEnded(content.order) ? (
        <Button onClick={onClose}>{t('payment.done')}</Button>
      ) : (
        <Button tone="quiet" onClick={onClose}>
          {t('common.close')}
        </Button>
      )
  }
}

function OrderNotLoaded({ query }: { query: ReturnType<typeof useOrder> }) {
  const t = useText()
  const { data, error } = query
  const isUnknown = data !== undefined || ['order-unknown', 'format'].includes(refusalReason(error) ?? '')
  if (isUnknown) return <StateNote title={t('order.unknown')} text={t('order.unknownText')} />
  return (
    <Loaded query={query} failed={t('order.failed')} offline={t('order.offlineText')}>
      {() => <OrderHead order={undefined} />}
    </Loaded>
  )
}
