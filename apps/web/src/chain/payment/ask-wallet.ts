import { holdReloads } from '../../shared/parts/index.ts'
import { sendTransaction } from '../connection.ts'
import type { Wallet } from '../discovery.ts'
import type { Call } from './contracts.ts'
import type { DriverContext } from './driver-context.ts'
import type { Payment } from './payment.ts'
import { signPermit } from './permit.ts'
import { hasReachedChain, pollChain } from './poll-chain.ts'
import type { Survey } from './wallet-requests.ts'

/**
 * Returns the wallet's answer. If the member stops waiting first, or `stopped` resolves, resumes the payment and
 * returns null.
 */
async function waitForAnswer<T>(
  context: DriverContext,
  answer: Promise<T>,
  stopped: Promise<null> = new Promise(() => {}),
): Promise<T | null> {
  const stoppedByMember = new Promise<null>((resolve) => {
    context.stopWaiting = () => resolve(null)
  })
  const allowReloads = holdReloads()
  const first = await Promise.race([answer, stoppedByMember, stopped]).finally(allowReloads)
  if (first === null) context.record.apply({ type: 'resumed', now: context.now() })
  return first
}

export async function askForPermit(
  context: DriverContext,
  wallet: Wallet,
  { intent }: Payment,
  survey: Survey,
): Promise<void> {
  const { record, now } = context
  if (!survey.permit) return
  const signed = await waitForAnswer(context, signPermit(wallet.provider, intent, survey.permit, survey.chainTime))
  if (!signed) return
  if (signed.ok) {
    context.permit = signed.value
    record.apply({ type: 'permit-signed' })
  } else if (signed.error === 'refused') record.apply({ type: 'refused', now: now() })
  else if (signed.error === 'unsupported') record.apply({ type: 'permit-unsupported', now: now() })
  else record.stop({ kind: 'wallet', what: signed.error })
}

export async function askToApprove(
  context: DriverContext,
  wallet: Wallet,
  { intent }: Payment,
  call: Call,
): Promise<void> {
  const { record, now } = context
  const sent = await waitForAnswer(context, sendTransaction(wallet.provider, intent, call))
  if (!sent) return
  if (sent.ok) record.apply({ type: 'approval-sent', hash: sent.value, now: now() })
  else if (sent.error === 'refused') record.apply({ type: 'refused', now: now() })
  else record.stop({ kind: 'wallet', what: sent.error === 'no-hash' ? 'other' : sent.error })
}

/**
 * Only the member's own refusal proves that nothing was sent. After every other error the payment may be out: wallets
 * report errors for transactions that they have sent, and a request that is still open can be confirmed later.
 */
export async function askToPay(context: DriverContext, wallet: Wallet, { intent }: Payment, call: Call): Promise<void> {
  const { record, now } = context
  const answer = sendTransaction(wallet.provider, intent, call)
  // A permit is for one request to pay, whether that request succeeds or not.
  context.permit = null
  const watch = watchForPayment(context)
  const sent = await waitForAnswer(context, answer, watch.found)
  watch.end()
  if (!sent)
    return void answer.then((late) => late.ok && record.apply({ type: 'pay-sent', hash: late.value, now: now() }))
  if (sent.ok) return void record.apply({ type: 'pay-sent', hash: sent.value, now: now() })
  record.apply({ type: sent.error === 'refused' ? 'refused' : 'answer-lost', now: now() })
}

/** How often the chain is read while the wallet has not answered. */
const WATCH_PAUSE_MS = 15_000

/**
 * Looks for the payment while the wallet is asked. Some wallets send the transaction and never answer the page. `found`
 * resolves when the payment was found.
 */
function watchForPayment(context: DriverContext): { found: Promise<null>; end: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const found = new Promise<null>((resolve) => {
    const look = async () => {
      const payment = context.record.current()
      const event = payment && (await pollChain(context, payment))
      if (isOver) return
      if (hasReachedChain(event)) {
        context.record.apply(event)
        return resolve(null)
      }
      timer = setTimeout(look, WATCH_PAUSE_MS)
    }
    timer = setTimeout(look, WATCH_PAUSE_MS)
  })
  return {
    found,
    end: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}
