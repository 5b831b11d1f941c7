import type { Hex } from 'viem'
import { createChainReader } from './chain-reader.ts'
import { deriveEvent } from './derive-event.ts'
import { type DriverContext, hasChainId } from './driver-context.ts'
import type { Payment, StageAt } from './payment.ts'
import type { PaymentEvent } from './payment-machine.ts'
import { NO_POOL_ANSWER } from './purpose-rules.ts'
import { selectPurposeRules } from './select-purpose-rules.ts'

export type ChainEvent = Extract<PaymentEvent, { type: 'found' | 'mined' | 'pending' }>

/** True if the payment is on the chain or on its way there. Then the app does not ask the wallet to pay again. */
export const hasReachedChain = (event: PaymentEvent | null): event is ChainEvent =>
  event?.type === 'found' || event?.type === 'mined' || event?.type === 'pending'

/** Reads what chain and pool show about a payment now. Null if there is nothing to report; see `deriveEvent`. */
export async function pollChain(context: DriverContext, payment: Payment): Promise<PaymentEvent | null> {
  const { stage } = payment
  if (stage.at !== 'approving') return pollPayment(context, payment)
  // A transaction of an earlier request can arrive while the approval for the next one waits for a block.
  const event = payment.mayBeOut ? await pollPayment(context, payment) : null
  return hasReachedChain(event) ? event : pollApproval(context, payment, stage)
}

async function pollApproval(
  { findWallet, now }: DriverContext,
  { intent }: Payment,
  { hash, nonce }: StageAt<'approving'>,
): Promise<PaymentEvent | null> {
  const wallet = await findWallet()
  if (!wallet) return null
  const chain = createChainReader(wallet.provider)
  if (!(await hasChainId(chain, intent.chainId))) return null
  const receipt = await chain.receipt(hash)
  if (!receipt.ok) return null
  if (receipt.value)
    return receipt.value.success
      ? { type: 'approved' }
      : { type: 'stopped', problem: { kind: 'approval', what: 'reverted' }, now: now() }
  const transaction = await chain.transaction(hash)
  if (!transaction.ok || transaction.value) return null
  const count = await chain.nonce(intent.account, 'latest')
  // The approval is gone and another transaction has used its nonce: the member sped it up or canceled it. At the
  // member's next press the app reads the allowance, which shows which of the two.
  return count.ok && count.value > nonce
    ? { type: 'stopped', problem: { kind: 'approval', what: 'replaced' }, now: now() }
    : null
}

async function pollPayment(context: DriverContext, payment: Payment): Promise<PaymentEvent | null> {
  const { record, nodes, now } = context
  const { intent, sent } = payment
  const rules = selectPurposeRules(intent)
  const read = await nodes.find(payment, record.takenByOthers())
  const snapshot = read.ok ? read.value : null
  context.failedReads = snapshot ? 0 : context.failedReads + 1

  const minedHash = snapshot?.traces.find(({ receipt }) => receipt?.success)?.hash
  const lastHash = 'hash' in payment.stage ? payment.stage.hash : sent.at(-1)?.hash
  const isInBlock = payment.stage.at === 'mined' || payment.stage.at === 'confirming'
  const hash = minedHash ?? (isInBlock || !snapshot ? lastHash : undefined)
  const isWaiting = snapshot?.traces.some(({ waiting }) => waiting !== null) ?? false
  const needsPool = hash !== undefined || !isWaiting || rules.canBePaidOnlyOnce
  const pool = needsPool ? await rules.askPool(hash) : NO_POOL_ANSWER
  // The order has lapsed only if no block holds the payment: only the chain can take back a payment that is in a block.
  if (minedHash === undefined && !isInBlock && pool.lapsed) return { type: 'lapsed', now: now() }
  const seenByPool = minedHash === undefined ? await choosePaymentSeenByPool(context, payment, pool.seen) : null
  if (seenByPool) return { type: 'found', hash: seenByPool, now: now() }
  // While the wallet is asked again, the question is only whether the earlier payment has reached the chain. The pool's
  // answer would hide that.
  const isAskedAgain = payment.stage.at === 'asking' || payment.stage.at === 'approving'
  return deriveEvent(payment, {
    snapshot,
    failedReads: context.failedReads,
    credit: hash === undefined || isAskedAgain ? null : { hash, state: pool.credit, toBalance: pool.toBalance },
    now: now(),
  })
}

/**
 * The transaction of this payment among those that the pool has seen. An order names its transaction. Of equal
 * deposits, this payment is the first one that no other payment has claimed and that is not in an earlier block.
 */
async function choosePaymentSeenByPool(
  { record, nodes, tooEarly }: DriverContext,
  { intent, sent, fromBlock }: Payment,
  seen: readonly Hex[],
): Promise<Hex | null> {
  if (fromBlock === null) return null
  const taken = record.takenByOthers()
  const candidates = seen.filter(
    (hash) => !taken.has(hash) && !tooEarly.has(hash) && !sent.some((one) => one.hash === hash),
  )
  if (selectPurposeRules(intent).canBePaidOnlyOnce) return candidates[0] ?? null
  for (const hash of candidates) {
    const receipt = await nodes.ask(intent.chainId, (chain) => chain.receipt(hash))
    if (!receipt.ok || !receipt.value) continue
    if (receipt.value.block.number >= fromBlock) return hash
    tooEarly.add(hash)
  }
  return null
}
