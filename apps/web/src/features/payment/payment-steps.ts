import { assertNever } from '@lode/kernel'
import type { Language } from '@lode/wire'
import type { Payment } from '../../chain/payment/index.ts'
import type { TextFunction } from '../../shared/i18n/index.ts'
import type { Step } from '../../shared/ui/index.ts'
import { amountText } from './payment-amount.ts'

type StepContext = {
  readonly now: number
  readonly language: Language
  /** True if the pool can be asked about this account. */
  readonly signedIn: boolean
}

/**
 * The steps of a payment: first the wallet's requests, done or not, then the steps of the chain and the pool. For an
 * order they are those that the order shows later. The current step has a detail text, unless another text on the
 * screen explains the stage.
 */
export function buildPaymentSteps(t: TextFunction, payment: Payment, context: StepContext): Step[] {
  const { done, left, stage, intent } = payment
  const amount = amountText(intent)
  const requests = [...done, ...left].filter((request) => request !== 'pay')
  const isPaid = stage.at === 'mined' || stage.at === 'confirming' || stage.at === 'credited'
  const hasFailed = stage.at === 'failed' || stage.at === 'lapsed'
  const toBalance = stage.at === 'credited' ? stage.toBalance : intent.purpose.kind === 'deposit'
  const isPastWallet = isPaid || stage.at === 'sent' || stage.at === 'unknown' || hasFailed
  const current = requests.length > done.length ? requests[done.length] : 'pay'

  const approvalSteps = requests.map((request, index): Step => {
    const isDone = index < done.length || (isPastWallet && stage.at !== 'unknown')
    const state = isDone ? 'done' : request === current && !isPastWallet ? 'current' : 'waiting'
    return {
      key: request,
      state,
      title: t(`payment.steps.${request}`, { amount }),
      detail: state === 'current' ? stepDetail(t, payment) : undefined,
    }
  })
  const orderedStep: Step = { key: 'made', state: 'done', title: t('order.steps.made') }
  const pay: Step = {
    key: 'pay',
    state: isPaid ? 'done' : hasFailed ? 'failed' : current === 'pay' || isPastWallet ? 'current' : 'waiting',
    title: t('payment.steps.pay', { amount }),
    detail: !isPaid && (current === 'pay' || isPastWallet) ? stepDetail(t, payment) : undefined,
  }
  return [
    ...(intent.purpose.kind === 'order' ? [orderedStep] : []),
    ...approvalSteps,
    pay,
    {
      key: 'final',
      state: stage.at === 'credited' ? 'done' : isPaid ? 'current' : 'waiting',
      title: t('payment.steps.final'),
      detail: isPaid && stage.at !== 'credited' ? finalDetail(t, payment, context) : undefined,
    },
    {
      key: 'credited',
      state: stage.at === 'credited' ? 'done' : 'waiting',
      title: t(toBalance ? 'payment.steps.credited' : 'payment.steps.settled'),
      detail: stage.at === 'credited' ? creditedDetail(t, payment, toBalance) : undefined,
    },
  ]
}

/** Without a time: the page knows when it heard of the credit, and not when the pool made it. */
function creditedDetail(t: TextFunction, { intent }: Payment, toBalance: boolean): string {
  if (!toBalance) return t('payment.now.settled')
  return t(intent.purpose.kind === 'order' ? 'payment.now.returned' : 'payment.now.credited')
}

/** The text of the current step. Undefined if another text explains the stage, as after a failure. */
function stepDetail(t: TextFunction, { stage, intent }: Payment): string | undefined {
  const amount = amountText(intent)
  switch (stage.at) {
    case 'checking':
      return t('payment.now.checking')
    case 'asking':
      return t(`payment.now.${stage.request}`, { amount })
    case 'approving':
      return t('payment.now.approving')
    case 'sent':
      return t('payment.now.sent')
    case 'paused':
    case 'unknown':
    case 'mined':
    case 'confirming':
    case 'credited':
    case 'refused':
    case 'failed':
    case 'lapsed':
      return undefined
    default:
      return assertNever(stage)
  }
}

function finalDetail(t: TextFunction, { stage, intent }: Payment, { now, signedIn }: StepContext): string {
  const minutes = 'since' in stage ? Math.max(0, Math.floor((now - stage.since) / 60_000)) : 0
  const elapsed = minutes === 0 ? t('wallet.elapsedNone') : t('wallet.elapsed', { minutes })
  if (stage.at === 'mined') {
    const blockText = t('payment.now.mined', { block: stage.block.number })
    return signedIn ? blockText : `${blockText} ${t('payment.now.signedOut')}`
  }
  const seen = `${t('wallet.seen', { count: intent.finalityMinutes })} ${elapsed}`
  return signedIn ? seen : `${seen} ${t('payment.now.signedOut')}`
}
