import type { Hex } from 'viem'
import { currentAccount, sendTransaction } from '../connection.ts'
import type { Wallet } from '../discovery.ts'
import { approveCall, type Call, type Permit, QUOTE_EXPIRED, QUOTE_SPENT, VAULT_PAUSED } from './contracts.ts'
import { judge } from './judge.ts'
import { look } from './look.ts'
import { type Event, next } from './next.ts'
import { type In, isAtRest, isEquivalent, type Payment, type Problem, type WouldFail } from './payment.ts'
import { signPermit } from './permit.ts'
import { requestsFor, type Survey, wouldFail } from './plan.ts'
import type { Credit } from './purpose-rules.ts'
import { rulesOf } from './purposes.ts'
import { type Chain, chainOf } from './reads.ts'
import { createSearch } from './search.ts'
import type { Shelf } from './stored.ts'
import { surveyOf } from './survey.ts'

export type DrivePorts = {
  readonly shelf: Shelf
  readonly wallet: () => Promise<Wallet | null>
  readonly now: () => number
  /** Told after the change has been stored, or could not be: then it is known here alone. */
  readonly changed: (payment: Payment, isKept: boolean) => void
}

/** The first look comes soon, for most chains have a block by then; later ones leave the node and the server alone. */
const FIRST_PAUSE_MS = 700
const LONGEST_PAUSE_MS = 10_000
const SLOWING = 1.4

export type Drive = ReturnType<typeof createDrive>

/**
 * Brings one payment forward: asks the chain, opens the wallet, follows what was sent. Every change is stored before anything
 * is done because of it. To be run by one tab at a time.
 */
export function createDrive(id: string, { shelf, wallet: findWallet, now, changed }: DrivePorts) {
  /** The member has pressed the button here: until this rests, wallets may open. */
  let mayOpenWallet = false
  let permit: Permit | null = null
  let blind = 0
  const search = createSearch()
  /** What has become of it, where the browser did not keep that. */
  let unkept: Payment | null = null
  let wake = () => {}
  let stopWaiting = () => {}

  const current = (): Payment | null => unkept ?? shelf.get(id)

  function apply(event: Event): Payment | null {
    const before = current()
    if (!before) return null
    if (event.type === 'found' && belongsToAnother(before, event.hash)) return before
    const after = next(before, event)
    if (after === before) return before
    // A refusal leaves nothing behind, not even a trace in the browser.
    if (after.stage.at === 'refused') shelf.remove(id)
    const isKept = after.stage.at === 'refused' || shelf.put(after)
    // Not stored, so not asked: after a reload nobody would know of it.
    if (!isKept && after.stage.at === 'asking') return stop({ kind: 'not-kept' })
    unkept = isKept ? null : after
    changed(after, isKept)
    for (const { hash } of after.sent.slice(before.sent.length)) rulesOf(after.intent).tellSent(hash)
    return after
  }
  const stop = (problem: Problem | null) => apply({ type: 'stopped', problem, now: now() })

  async function follow(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; ) {
      if (unkept && shelf.put(unkept)) {
        changed(unkept, true)
        unkept = null
      }
      const payment = current()
      if (!payment || isAtRest(payment)) break
      const { stage } = payment
      if (stage.at === 'checking') {
        if (mayOpenWallet) await checkOrStop(payment)
        else stop(null)
        // The wallet has answered by now, or was given up on.
        if (current()?.stage.at === 'asking') break
        continue
      }
      const event = stage.at === 'approving' ? await lookWhileApproving(payment, stage) : await lookAtPayment(payment)
      const after = event ? apply(event) : payment
      if (after?.stage.at === 'checking' || (after && isAtRest(after))) continue
      pause = after?.stage === stage ? Math.min(pause * SLOWING, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, pause)
      })
    }
    mayOpenWallet = false
    permit = null
  }

  /** An exception must not leave the payment at "checking" for ever: it waits for the member's press then. */
  async function checkOrStop(payment: Payment): Promise<void> {
    try {
      await check(payment)
    } catch (error) {
      globalThis.reportError?.(error)
      stop(null)
    }
  }

  /** Everything that can be known without the wallet is asked first; then the wallet opens, once. */
  async function check(payment: Payment): Promise<void> {
    const { intent } = payment
    const wallet = await findWallet()
    if (!wallet) return void stop({ kind: 'no-wallet' })
    const chain = chainOf(wallet.provider)
    const barrier = await barrierBefore(wallet, chain, payment)
    if (barrier) return void stop(barrier)

    const rules = rulesOf(intent)
    const survey = await surveyOf(chain, intent)
    if (!survey.ok) return void stop({ kind: 'no-node' })
    if (payment.fromBlock !== null) {
      // After the allowance was read: what was paid by then is found, and what is paid later uses up that allowance.
      const sight = await look(chain, rules, payment, takenByOthers(), search)
      if (!sight.ok) return void stop({ kind: 'no-node' })
      const event = judge(payment, { sight: sight.value, blind: 0, credit: null, now: now() })
      if (isThere(event)) return void (apply(event)?.stage.at === 'checking' && stop(null))
    }
    const why = wouldFail(survey.value, intent)
    if (why) return void stop({ kind: 'would-fail', why })
    const circumstances = { repeated: payment.fromBlock !== null && !rules.paidOnce, permits: payment.permits }
    const left = permit ? (['pay'] as const) : requestsFor(survey.value, intent.units, circumstances)
    const [request] = left
    if (request !== 'pay' && (payment.done.includes('approve') || payment.done.includes(request)))
      return void stop({ kind: 'approval', what: 'short' })

    const call = request === 'permit' ? null : request === 'pay' ? rules.payCall(permit) : approveCall(intent, request)
    const problem = call && (await trialOf(chain, payment, call))
    if (problem) return void stop(problem)

    const [nonce, block] = await Promise.all([chain.nonce(intent.account, 'pending'), chain.blockNumber()])
    if (!nonce.ok || !block.ok) return void stop({ kind: 'no-node' })
    const asked = apply({ type: 'asked', left: [...left], nonce: nonce.value, block: block.value, now: now() })
    if (asked?.stage.at !== 'asking') return
    if (call === null) return askForPermit(wallet, payment, survey.value)
    if (request === 'pay') return askToPay(wallet, chain, payment, call, nonce.value)
    return askToApprove(wallet, payment, call)
  }

  /** What the wallet says, or null where the member has stopped waiting for it. */
  async function heard<T>(answer: Promise<T>): Promise<T | null> {
    const left = new Promise<null>((resolve) => {
      stopWaiting = () => resolve(null)
    })
    const first = await Promise.race([answer, left])
    if (first === null) apply({ type: 'resumed', now: now() })
    return first
  }

  async function askForPermit(wallet: Wallet, { intent }: Payment, survey: Survey): Promise<void> {
    if (!survey.permit) return
    const signed = await heard(signPermit(wallet.provider, intent, survey.permit, survey.chainTime))
    if (!signed) return
    if (signed.ok) {
      permit = signed.value
      apply({ type: 'permit-signed' })
    } else if (signed.error === 'refused') apply({ type: 'refused', now: now() })
    else if (signed.error === 'unsupported') apply({ type: 'permit-unsupported', now: now() })
    else stop({ kind: 'wallet', what: signed.error })
  }

  async function askToApprove(wallet: Wallet, { intent }: Payment, call: Call): Promise<void> {
    const sent = await heard(sendTransaction(wallet.provider, intent, call))
    if (!sent) return
    if (sent.ok) apply({ type: 'approval-sent', hash: sent.value, now: now() })
    else if (sent.error === 'refused') apply({ type: 'refused', now: now() })
    else stop({ kind: 'wallet', what: sent.error === 'no-hash' ? 'other' : sent.error })
  }

  async function askToPay(wallet: Wallet, chain: Chain, { intent }: Payment, call: Call, nonce: number): Promise<void> {
    const asked = sendTransaction(wallet.provider, intent, call)
    // Used or not, it belongs to this one try.
    permit = null
    const sent = await heard(asked)
    if (!sent) return void asked.then((late) => late.ok && apply({ type: 'pay-sent', hash: late.value, now: now() }))
    if (sent.ok) return void apply({ type: 'pay-sent', hash: sent.value, now: now() })
    switch (sent.error) {
      case 'refused':
        return void apply({ type: 'refused', now: now() })
      case 'pending':
      case 'unsupported':
      case 'chain-unknown':
        return void stop({ kind: 'wallet', what: sent.error })
      default: {
        // It may have sent it all the same. The account's count tells whether anything was.
        const after = await chain.nonce(intent.account, 'pending')
        if (sent.error !== 'no-hash' && after.ok && after.value === nonce) stop({ kind: 'wallet', what: sent.error })
        else apply({ type: 'answer-lost', now: now() })
      }
    }
  }

  /** An earlier payment may arrive while the allowance for another try is on its way. */
  async function lookWhileApproving(payment: Payment, stage: In<'approving'>): Promise<Event | null> {
    const event = payment.mayBeOut ? await lookAtPayment(payment) : null
    return isThere(event) ? event : lookAtApproval(payment, stage)
  }

  async function lookAtApproval({ intent }: Payment, { hash, nonce }: In<'approving'>): Promise<Event | null> {
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
    // Gone, and its place is taken: sped up or cancelled. Which of the two the allowance tells, at the next press.
    return count.ok && count.value > nonce
      ? { type: 'stopped', problem: { kind: 'approval', what: 'replaced' }, now: now() }
      : null
  }

  async function lookAtPayment(payment: Payment): Promise<Event | null> {
    const { intent, sent } = payment
    const rules = rulesOf(intent)
    const wallet = await findWallet()
    const chain = wallet && chainOf(wallet.provider)
    const canAsk = chain !== null && (await isOnChain(chain, intent.chainId))
    const sight = canAsk ? await look(chain, rules, payment, takenByOthers(), search) : null
    blind = sight?.ok ? 0 : blind + 1

    const mined = sight?.ok ? sight.value.traces.find(({ receipt }) => receipt?.success)?.hash : undefined
    const last = 'hash' in payment.stage ? payment.stage.hash : sent.at(-1)?.hash
    const isSettled = payment.stage.at === 'mined' || payment.stage.at === 'confirming'
    const asked = mined ?? (isSettled || !sight?.ok ? last : undefined)
    const credit: { hash: Hex; says: Credit } | null =
      asked === undefined ? null : { hash: asked, says: await rules.creditOf(asked) }
    // Only where nothing of it stands in a block: what does is the chain's to take back, and nobody else's.
    if (mined === undefined && !isSettled && (await rules.isLapsed())) return { type: 'lapsed', now: now() }
    return judge(payment, { sight: sight?.ok ? sight.value : null, blind, credit, now: now() })
  }

  const others = (): Payment[] => shelf.all().filter(({ intent }) => intent.id !== id)
  const takenByOthers = (): ReadonlySet<Hex> =>
    new Set([...shelf.claimed(), ...others().flatMap(({ sent }) => sent.map(({ hash }) => hash))])

  /** Looking takes a while, and another payment may have claimed it since, or may be about to hear that it is its own. */
  const belongsToAnother = ({ intent }: Payment, hash: Hex): boolean =>
    takenByOthers().has(hash) ||
    others().some(
      ({ intent: other, stage }) => stage.at === 'asking' && stage.request === 'pay' && isEquivalent(other, intent),
    )

  return {
    /** Follows what another page began. No wallet opens before the member says so. */
    async resume(): Promise<void> {
      apply({ type: 'resumed', now: now() })
      await follow()
    },
    /** Does what the member pressed the button for just now. */
    async begin(): Promise<void> {
      mayOpenWallet = true
      apply({ type: 'go' })
      await follow()
    },
    /** The member pressed the button again, while this is being followed. */
    goOn(): void {
      mayOpenWallet = true
      apply({ type: 'go' })
      wake()
    },
    /** The wallet shows nothing, or is not going to be answered: as if the page had been opened anew. */
    stopWaiting: () => stopWaiting(),
    putAside: () => void apply({ type: 'put-aside' }),
    /** The member has left: from here on it is only watched. */
    openNoMore(): void {
      mayOpenWallet = false
    },
    /** The member has taken it off the list. */
    leave(): void {
      unkept = null
      wake()
    },
    /** Something may have changed: look now instead of later. */
    lookNow: () => wake(),
  }
}

/** It is on the chain, or on its way there: then it is not asked for again. */
const isThere = (event: Event | null): event is Extract<Event, { type: 'found' | 'mined' | 'pending' }> =>
  event?.type === 'found' || event?.type === 'mined' || event?.type === 'pending'

/** The wallet must stand where the payment belongs: on that chain, with that account. */
async function barrierBefore(wallet: Wallet, chain: Chain, { intent }: Payment): Promise<Problem | null> {
  const account = await currentAccount(wallet.provider)
  if (!account.ok) return account.error === 'refused' ? null : { kind: 'wallet', what: account.error }
  if (account.value === null) return { kind: 'wallet', what: 'disconnected' }
  if (account.value.toLowerCase() !== intent.account.toLowerCase()) return { kind: 'other-account' }
  const chainId = await chain.chainId()
  if (!chainId.ok) return { kind: 'no-node' }
  return chainId.value === intent.chainId ? null : { kind: 'other-network' }
}

async function isOnChain(chain: Chain, chainId: number): Promise<boolean> {
  const current = await chain.chainId()
  return current.ok && current.value === chainId
}

/** The very call that the wallet will be asked for, tried without it. */
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
