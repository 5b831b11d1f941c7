import type { Hex } from 'viem'
import { type DriveContext, isOnChain } from './drive-context.ts'
import { judge } from './judge.ts'
import { look } from './look.ts'
import type { Event } from './next.ts'
import type { In, Payment } from './payment.ts'
import type { Credit } from './purpose-rules.ts'
import { rulesOf } from './purposes.ts'
import { chainOf } from './reads.ts'

export type ChainEvent = Extract<Event, { type: 'found' | 'mined' | 'pending' }>

/** The payment is on the chain, or on its way there: the wallet is not asked for it again. */
export const isOnTheChain = (event: Event | null): event is ChainEvent =>
  event?.type === 'found' || event?.type === 'mined' || event?.type === 'pending'

/** What has happened to a payment since the last look; null if nothing has, or nothing is known. */
export async function lookAtChain(context: DriveContext, payment: Payment): Promise<Event | null> {
  const { stage } = payment
  if (stage.at !== 'approving') return lookAtPayment(context, payment)
  // An earlier payment can arrive while the allowance for another try is on its way.
  const event = payment.mayBeOut ? await lookAtPayment(context, payment) : null
  return isOnTheChain(event) ? event : lookAtApproval(context, payment, stage)
}

async function lookAtApproval(
  { findWallet, now }: DriveContext,
  { intent }: Payment,
  { hash, nonce }: In<'approving'>,
): Promise<Event | null> {
  const wallet = await findWallet()
  if (!wallet) return null
  const chain = chainOf(wallet.provider)
  if (!(await isOnChain(chain, intent.chainId))) return null
  const receipt = await chain.receipt(hash)
  if (!receipt.ok) return null
  if (receipt.value)
    return receipt.value.success
      ? { type: 'approved' }
      : { type: 'stopped', problem: { kind: 'approval', what: 'reverted' }, now: now() }
  const known = await chain.transaction(hash)
  if (!known.ok || known.value) return null
  const count = await chain.nonce(intent.account, 'latest')
  // The approval is gone and another transaction has its nonce: it was sped up or canceled. The allowance, which is
  // read at the member's next press, shows which of the two.
  return count.ok && count.value > nonce
    ? { type: 'stopped', problem: { kind: 'approval', what: 'replaced' }, now: now() }
    : null
}

async function lookAtPayment(context: DriveContext, payment: Payment): Promise<Event | null> {
  const { record, findWallet, search, now } = context
  const { intent, sent } = payment
  const rules = rulesOf(intent)
  const wallet = await findWallet()
  const chain = wallet && chainOf(wallet.provider)
  const canAsk = chain !== null && (await isOnChain(chain, intent.chainId))
  const sight = canAsk ? await look(chain, rules, payment, record.takenByOthers(), search) : null
  context.blindLooks = sight?.ok ? 0 : context.blindLooks + 1

  const minedHash = sight?.ok ? sight.value.traces.find(({ receipt }) => receipt?.success)?.hash : undefined
  const lastHash = 'hash' in payment.stage ? payment.stage.hash : sent.at(-1)?.hash
  const isSettled = payment.stage.at === 'mined' || payment.stage.at === 'confirming'
  const hash = minedHash ?? (isSettled || !sight?.ok ? lastHash : undefined)
  const credit: { hash: Hex; says: Credit } | null =
    hash === undefined ? null : { hash, says: await rules.creditOf(hash) }
  // The server's answer counts only if no block holds the payment: only the chain can take back a payment that is in a
  // block.
  if (minedHash === undefined && !isSettled && (await rules.isLapsed())) return { type: 'lapsed', now: now() }
  return judge(payment, { sight: sight?.ok ? sight.value : null, blind: context.blindLooks, credit, now: now() })
}
