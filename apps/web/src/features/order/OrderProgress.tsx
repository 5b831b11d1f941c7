import type { WalletRequest } from '../../chain/payment/index.ts'
import { useChain } from '../../shared/api/index.ts'
import { useNow } from '../../shared/clock/index.ts'
import { formatRecent, formatWholeAmount, isZero } from '../../shared/format/index.ts'
import { type TextFunction, useLanguage, useText } from '../../shared/i18n/index.ts'
import { Note, Row, Rows, type Step, Steps, TransactionLink } from '../../shared/ui/index.ts'
import { closingText } from './closing-text.ts'
import { failureText } from './failure-text.ts'
import type { PayableOrder } from './order.ts'
import { useOrderPayment, usePaymentSeenAt } from './use-order.ts'

/** Explains that the order is closing, or why it failed. Draws nothing otherwise. */
export function OrderNote({ order }: { order: PayableOrder }) {
  const t = useText()
  const language = useLanguage()
  const now = useNow(10_000)
  return (
    <div role="status">
      {order.state === 'closing' && <Note tone="lode">{closingText(t, order, now, language)}</Note>}
      {order.failure !== null && <Note tone="lode">{failureText(t, order, order.failure)}</Note>}
    </div>
  )
}

/** The pool's view of an order: notes, the steps after payment, and the transaction. */
export function OrderProgress({ order }: { order: PayableOrder }) {
  const t = useText()
  const language = useLanguage()
  const now = useNow(10_000)
  const { data: chain } = useChain()
  const payment = useOrderPayment(order.id)
  const seenAt = usePaymentSeenAt(order.id, order.state === 'confirming')
  const isPaid = order.state === 'confirming' || order.state === 'success'
  return (
    <>
      <OrderNote order={order} />
      {isPaid && !isZero(order.payAmount) && (
        <Steps
          label={t('order.progress')}
          steps={buildOrderSteps(t, order, {
            made: formatRecent(order.createdAt, now, language),
            minutes: chain?.finalityMinutes,
            elapsed: seenAt === null ? null : Math.max(0, Math.floor((now - seenAt) / 60_000)),
            approvals: (payment?.done ?? []).filter((request) => request !== 'pay'),
          })}
        />
      )}
      {order.tx && chain && (
        <Rows>
          <Row label={t('payment.transaction')}>
            <TransactionLink hash={order.tx} explorerUrl={chain.explorerUrl} />
          </Row>
        </Rows>
      )}
    </>
  )
}

/** Why the order failed, and where the money is. */
type StepFacts = {
  readonly made: string
  readonly minutes: number | undefined
  readonly elapsed: number | null
  /** What the wallet of this browser allowed before it paid. The pool does not know it. */
  readonly approvals: readonly WalletRequest[]
}

function buildOrderSteps(t: TextFunction, order: PayableOrder, facts: StepFacts): Step[] {
  const { made, minutes, elapsed, approvals } = facts
  const { symbol } = order
  const amount = formatWholeAmount(order.payAmount, symbol)
  const isSettled = order.state === 'success'
  return [
    {
      key: 'made',
      state: 'done',
      title: t('order.steps.made'),
      at: made,
      detail: isZero(order.balancePart)
        ? undefined
        : t('order.now.setAside', { amount: formatWholeAmount(order.balancePart, symbol) }),
    },
    ...approvals.map(
      (request): Step => ({
        key: request,
        state: 'done',
        title: t(`payment.steps.${request}`, { amount }),
      }),
    ),
    { key: 'pay', state: 'done', title: t('payment.steps.pay', { amount }) },
    {
      key: 'final',
      state: isSettled ? 'done' : 'current',
      title: t('payment.steps.final'),
      detail: isSettled ? undefined : seenText(t, minutes, elapsed),
    },
    { key: 'settled', state: isSettled ? 'done' : 'waiting', title: t('payment.steps.settled') },
  ]
}

function seenText(t: TextFunction, minutes: number | undefined, elapsed: number | null): string | undefined {
  if (minutes === undefined) return undefined
  const seen = t('wallet.seen', { count: minutes })
  if (elapsed === null) return seen
  return `${seen} ${elapsed === 0 ? t('wallet.elapsedNone') : t('wallet.elapsed', { minutes: elapsed })}`
}
