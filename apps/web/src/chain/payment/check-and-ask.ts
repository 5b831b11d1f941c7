import type { Hex } from 'viem'
import { currentAccount } from '../connection.ts'
import type { Wallet } from '../discovery.ts'
import { askForPermit, askToApprove, askToPay } from './ask-wallet.ts'
import { approveCall, type Call, QUOTE_EXPIRED, QUOTE_SPENT, VAULT_PAUSED } from './contracts.ts'
import type { DriveContext } from './drive-context.ts'
import { judge } from './judge.ts'
import { look } from './look.ts'
import { type ChainEvent, isOnTheChain } from './look-at-chain.ts'
import type { Payment, Problem, Request, WouldFail } from './payment.ts'
import { requestsFor, type Survey, wouldFail } from './plan.ts'
import { rulesOf } from './purposes.ts'
import { type Chain, chainOf } from './reads.ts'
import { surveyOf } from './survey.ts'

/** Checks everything that can be known without the wallet; then opens the wallet, once. */
export async function checkAndAsk(context: DriveContext, payment: Payment): Promise<void> {
  const { record, now } = context
  const { intent } = payment
  const wallet = await context.findWallet()
  if (!wallet) return void record.stop({ kind: 'no-wallet' })
  const chain = chainOf(wallet.provider)
  const barrier = await barrierBefore(wallet, chain, payment)
  if (barrier) return void record.stop(barrier)

  const survey = await surveyOf(chain, intent)
  if (!survey.ok) return void record.stop({ kind: 'no-node' })
  // Must come after the allowance was read. An earlier payment is found here; a later one uses up that allowance.
  const earlier = await lookForEarlier(context, chain, payment)
  if (earlier === 'no-node') return void record.stop({ kind: 'no-node' })
  if (earlier) return void (record.apply(earlier)?.stage.at === 'checking' && record.stop(null))

  const planned = planRequest(context, payment, survey.value)
  if ('kind' in planned) return void record.stop(planned)
  const { request, left, call } = planned
  const problem = call && (await trialOf(chain, payment, call))
  if (problem) return void record.stop(problem)

  const [nonce, block] = await Promise.all([chain.nonce(intent.account, 'pending'), chain.blockNumber()])
  if (!nonce.ok || !block.ok) return void record.stop({ kind: 'no-node' })
  const asked = record.apply({ type: 'asked', left: [...left], nonce: nonce.value, block: block.value, now: now() })
  if (asked?.stage.at !== 'asking') return
  if (call === null) return askForPermit(context, wallet, payment, survey.value)
  if (request === 'pay') return askToPay(context, { wallet, chain, payment, call, nonce: nonce.value })
  return askToApprove(context, wallet, payment, call)
}

/** The wallet must be on the payment's chain and show the payment's account. */
async function barrierBefore(wallet: Wallet, chain: Chain, { intent }: Payment): Promise<Problem | null> {
  const account = await currentAccount(wallet.provider)
  if (!account.ok) return account.error === 'refused' ? null : { kind: 'wallet', what: account.error }
  if (account.value === null) return { kind: 'wallet', what: 'disconnected' }
  if (account.value.toLowerCase() !== intent.account.toLowerCase()) return { kind: 'other-account' }
  const chainId = await chain.chainId()
  if (!chainId.ok) return { kind: 'no-node' }
  return chainId.value === intent.chainId ? null : { kind: 'other-network' }
}

/** Looks for an earlier payment, if the wallet was asked to pay before: is it on the chain, or on its way there? */
async function lookForEarlier(
  { record, search, now }: DriveContext,
  chain: Chain,
  payment: Payment,
): Promise<ChainEvent | 'no-node' | null> {
  if (payment.fromBlock === null) return null
  const sight = await look(chain, rulesOf(payment.intent), payment, record.takenByOthers(), search)
  if (!sight.ok) return 'no-node'
  const event = judge(payment, { sight: sight.value, blind: 0, credit: null, now: now() })
  return isOnTheChain(event) ? event : null
}

type Planned = {
  readonly request: Request
  /** All requests that are left; `request` is the first. */
  readonly left: readonly [Request, ...Request[]]
  /** The transaction to ask the wallet for; null for a permit, which is only signed. */
  readonly call: Call | null
}

/** The next request to the wallet, or the problem that prevents it. */
function planRequest({ permit }: DriveContext, payment: Payment, survey: Survey): Planned | Problem {
  const { intent } = payment
  const rules = rulesOf(intent)
  const why = wouldFail(survey, intent)
  if (why) return { kind: 'would-fail', why }
  const circumstances = { repeated: payment.fromBlock !== null && !rules.paidOnce, permits: payment.permits }
  const left = permit ? (['pay'] as const) : requestsFor(survey, intent.units, circumstances)
  const [request] = left
  if (request !== 'pay' && (payment.done.includes('approve') || payment.done.includes(request)))
    return { kind: 'approval', what: 'short' }
  if (request === 'permit') return { request, left, call: null }
  return { request, left, call: request === 'pay' ? rules.payCall(permit) : approveCall(intent, request) }
}

/** Simulates the exact call that the wallet will be asked for, without opening the wallet. */
async function trialOf(chain: Chain, { intent }: Payment, call: Call): Promise<Problem | null> {
  const trial = await chain.call(call, intent.account)
  if (trial.ok) return null
  if (trial.error.kind === 'no-node') return { kind: 'no-node' }
  const { data } = trial.error
  return { kind: 'would-fail', why: refusals.find(([selector]) => data.startsWith(selector))?.[1] ?? 'other' }
}

const refusals: readonly (readonly [Hex, WouldFail])[] = [
  [VAULT_PAUSED, 'vault-paused'],
  [QUOTE_EXPIRED, 'late'],
  [QUOTE_SPENT, 'spent'],
]
