import { sendTransaction } from '../connection.ts'
import type { Wallet } from '../discovery.ts'
import type { ChainReader } from './chain-reader.ts'
import type { Call } from './contracts.ts'
import type { DriverContext } from './driver-context.ts'
import type { Payment } from './payment.ts'
import { signPermit } from './permit.ts'
import type { Survey } from './wallet-requests.ts'

/** Returns the wallet's answer. If the member stops waiting first, resumes the payment and returns null. */
async function waitForAnswer<T>(context: DriverContext, answer: Promise<T>): Promise<T | null> {
  const stopped = new Promise<null>((resolve) => {
    context.stopWaiting = () => resolve(null)
  })
  const first = await Promise.race([answer, stopped])
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

type PayRequest = {
  readonly wallet: Wallet
  readonly chain: ChainReader
  readonly payment: Payment
  readonly call: Call
  /** The account's transaction count before the wallet was asked. */
  readonly nonce: number
}

export async function askToPay(
  context: DriverContext,
  { wallet, chain, payment: { intent }, call, nonce }: PayRequest,
): Promise<void> {
  const { record, now } = context
  const answer = sendTransaction(wallet.provider, intent, call)
  // A permit is for one request to pay, whether that request succeeds or not.
  context.permit = null
  const sent = await waitForAnswer(context, answer)
  if (!sent)
    return void answer.then((late) => late.ok && record.apply({ type: 'pay-sent', hash: late.value, now: now() }))
  if (sent.ok) return void record.apply({ type: 'pay-sent', hash: sent.value, now: now() })
  switch (sent.error) {
    case 'refused':
      return void record.apply({ type: 'refused', now: now() })
    case 'pending':
    case 'unsupported':
    case 'chain-unknown':
      return void record.stop({ kind: 'wallet', what: sent.error })
    default: {
      // The wallet may have sent the transaction in spite of the error. If the account's transaction count has not
      // changed, it sent nothing. After `no-hash` the count proves nothing: the wallet has accepted and may send later.
      const after = await chain.nonce(intent.account, 'pending')
      if (sent.error !== 'no-hash' && after.ok && after.value === nonce)
        record.stop({ kind: 'wallet', what: sent.error })
      else record.apply({ type: 'answer-lost', now: now() })
    }
  }
}
