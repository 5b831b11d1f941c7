import type { Hex } from 'viem'
import { currentAccount } from '../connection.ts'
import type { Wallet } from '../discovery.ts'
import { askForPermit, askToApprove, askToPay } from './ask-wallet.ts'
import { type ChainReader, createChainReader } from './chain-reader.ts'
import { type Call, QUOTE_EXPIRED, QUOTE_SPENT, resetOrApproveCall, VAULT_PAUSED } from './contracts.ts'
import { deriveEvent } from './derive-event.ts'
import type { DriverContext } from './driver-context.ts'
import type { Payment, PaymentProblem, PredictedFailure, WalletRequest } from './payment.ts'
import { type ChainEvent, hasReachedChain } from './poll-chain.ts'
import { selectPurposeRules } from './select-purpose-rules.ts'
import { readSurvey } from './survey.ts'
import { listRequests, predictFailure, type Survey } from './wallet-requests.ts'

/** Runs all checks that need no answer of the member, and then opens the wallet for one request. */
export async function checkAndAsk(context: DriverContext, payment: Payment): Promise<void> {
  const { record, now } = context
  const { intent } = payment
  const wallet = await context.findWallet()
  if (!wallet) return void record.stop({ kind: 'no-wallet' })
  const chain = createChainReader(wallet.provider)
  const walletProblem = await findWalletProblem(wallet, chain, payment)
  if (walletProblem) return void record.stop(walletProblem)

  const survey = await readSurvey(chain, intent)
  if (!survey.ok) return void record.stop({ kind: 'no-node' })
  // Must come after the survey has read the allowance. An earlier transaction that is on the chain by now is found
  // here; one that arrives later uses up that allowance.
  const earlier = await findEarlierPayment(context, chain, payment)
  if (earlier === 'no-node') return void record.stop({ kind: 'no-node' })
  if (earlier) return void (record.apply(earlier)?.stage.at === 'checking' && record.stop(null))

  const planned = planRequest(context, payment, survey.value)
  if ('kind' in planned) return void record.stop(planned)
  const { request, left, call } = planned
  const problem = call && (await simulateCall(chain, payment, call))
  if (problem) return void record.stop(problem)

  const [nonce, block] = await Promise.all([chain.nonce(intent.account, 'pending'), chain.blockNumber()])
  if (!nonce.ok || !block.ok) return void record.stop({ kind: 'no-node' })
  const updated = record.apply({ type: 'asked', left: [...left], nonce: nonce.value, block: block.value, now: now() })
  if (updated?.stage.at !== 'asking') return
  if (call === null) return askForPermit(context, wallet, payment, survey.value)
  if (request === 'pay') return askToPay(context, wallet, payment, call)
  return askToApprove(context, wallet, payment, call)
}

/**
 * Null if the wallet shows the payment's account and is on the payment's chain. Also null, without a check of the
 * chain, if the wallet refuses to name its account.
 */
async function findWalletProblem(
  wallet: Wallet,
  chain: ChainReader,
  { intent }: Payment,
): Promise<PaymentProblem | null> {
  const account = await currentAccount(wallet.provider)
  if (!account.ok) return account.error === 'refused' ? null : { kind: 'wallet', what: account.error }
  if (account.value === null) return { kind: 'wallet', what: 'disconnected' }
  if (account.value.toLowerCase() !== intent.account.toLowerCase()) return { kind: 'other-account' }
  const chainId = await chain.chainId()
  if (!chainId.ok) return { kind: 'no-node' }
  return chainId.value === intent.chainId ? null : { kind: 'other-network' }
}

/** If the wallet was asked to pay before, looks for that payment: on the chain, or on its way there. */
async function findEarlierPayment(
  { record, nodes, now }: DriverContext,
  chain: ChainReader,
  payment: Payment,
): Promise<ChainEvent | 'no-node' | null> {
  if (payment.fromBlock === null) return null
  const latest = await chain.blockNumber()
  if (!latest.ok) return 'no-node'
  // A node that is behind the wallet's node could miss a payment whose use of the allowance the survey already shows.
  const snapshot = await nodes.find(payment, record.takenByOthers(), latest.value)
  if (!snapshot.ok) return 'no-node'
  const event = deriveEvent(payment, { snapshot: snapshot.value, failedReads: 0, credit: null, now: now() })
  return hasReachedChain(event) ? event : null
}

type PlannedRequest = {
  readonly request: WalletRequest
  /** All requests that are left; `request` is the first. */
  readonly left: readonly [WalletRequest, ...WalletRequest[]]
  /** The transaction to ask the wallet for; null for a permit, which is only signed. */
  readonly call: Call | null
}

/** The next request to the wallet, or the problem that prevents it. */
function planRequest({ permit }: DriverContext, payment: Payment, survey: Survey): PlannedRequest | PaymentProblem {
  const { intent } = payment
  const rules = selectPurposeRules(intent)
  const why = predictFailure(survey, intent)
  if (why) return { kind: 'would-fail', why }
  const circumstances = { repeated: payment.fromBlock !== null && !rules.canBePaidOnlyOnce, permits: payment.permits }
  const left = permit ? (['pay'] as const) : listRequests(survey, intent.units, circumstances)
  const [request] = left
  if (request !== 'pay' && (payment.done.includes('approve') || payment.done.includes(request)))
    return { kind: 'approval', what: 'short' }
  if (request === 'permit') return { request, left, call: null }
  return { request, left, call: request === 'pay' ? rules.payCall(permit) : resetOrApproveCall(intent, request) }
}

/** Simulates exactly the call that the wallet will be asked to send. Null if it would succeed. */
async function simulateCall(chain: ChainReader, { intent }: Payment, call: Call): Promise<PaymentProblem | null> {
  const trial = await chain.call(call, intent.account)
  if (trial.ok) return null
  if (trial.error.kind === 'no-node') return { kind: 'no-node' }
  const { data } = trial.error
  return { kind: 'would-fail', why: failureBySelector.find(([selector]) => data.startsWith(selector))?.[1] ?? 'other' }
}

const failureBySelector: readonly (readonly [Hex, PredictedFailure])[] = [
  [VAULT_PAUSED, 'vault-paused'],
  [QUOTE_EXPIRED, 'late'],
  [QUOTE_SPENT, 'spent'],
]
