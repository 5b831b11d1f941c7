import type { Wallet } from '../discovery.ts'
import type { Provider } from '../provider.ts'
import { createChainNodes } from './chain-nodes.ts'
import { checkAndAsk } from './check-and-ask.ts'
import type { DriverContext } from './driver-context.ts'
import { isAtRest, isEnded, type Payment } from './payment.ts'
import { advancePayment, type PaymentEvent } from './payment-machine.ts'
import { openRecord, type RecordPorts } from './payment-record.ts'
import { hasReachedChain, pollChain } from './poll-chain.ts'

export type DriverPorts = RecordPorts & {
  readonly wallet: () => Promise<Wallet | null>
  readonly poolNode: () => Promise<Provider | null>
}

/**
 * The pause between two polls. It begins short, because most chains have a new block by then, and grows while nothing
 * changes, to spare the node and the server.
 */
const FIRST_POLL_MS = 700
const MAX_POLL_MS = 10_000
const POLL_BACKOFF = 1.4

export type PaymentDriver = ReturnType<typeof createPaymentDriver>

/**
 * Drives one payment until it waits for the member or has ended:
 *
 *     checking ── check-and-ask.ts: read the chain, then open the wallet ──► ask-wallet.ts: permit, approve or pay
 *     others   ── poll-chain.ts: poll for the approval, or for the payment and its credit
 *
 * payment-record.ts stores every change before the driver acts on it. Only one tab may run this at a time.
 */
export function createPaymentDriver(id: string, ports: DriverPorts) {
  const { now } = ports
  const record = openRecord(id, ports)
  const context: DriverContext = {
    record,
    findWallet: ports.wallet,
    now,
    nodes: createChainNodes({ findWallet: ports.wallet, findPoolNode: ports.poolNode }),
    tooEarly: new Set(),
    permit: null,
    failedReads: 0,
    stopWaiting: () => {},
  }
  /**
   * True after the member has pressed the button on this page. Then wallets may open until the payment ends or waits
   * for the next press.
   */
  let mayOpenWallet = false
  let wake = () => {}

  async function follow(): Promise<void> {
    for (let pause = FIRST_POLL_MS; ; ) {
      record.retryStoring()
      const payment = record.current()
      if (!payment || isAtRest(payment, now())) break
      const { stage } = payment
      if (stage.at === 'checking') {
        if (mayOpenWallet) await checkOrStop(context, payment)
        else record.stop(null)
        // The wallet has answered or the member has stopped waiting, so the payment has left `asking`. If it has not,
        // there is nothing to poll for.
        if (record.current()?.stage.at === 'asking') break
        continue
      }
      record.reportSent()
      const event = await pollChain(context, payment)
      const after = event ? record.apply(event) : payment
      if (after?.stage.at === 'checking' || (after && isAtRest(after, now()))) continue
      pause = after?.stage === stage ? Math.min(pause * POLL_BACKOFF, MAX_POLL_MS) : FIRST_POLL_MS
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, pause)
      })
    }
    mayOpenWallet = false
    context.permit = null
  }

  return {
    /**
     * Follows a payment without a press: after a reload, when another tab no longer drives it, or after a late
     * answer of the wallet. No wallet opens before the member presses the button.
     */
    async resume(): Promise<void> {
      record.apply({ type: 'resumed', now: now() })
      await follow()
    },
    /** The member has pressed the button, and no driver follows the payment yet. */
    async begin(): Promise<void> {
      mayOpenWallet = true
      record.apply({ type: 'go' })
      await follow()
    },
    /** The member has pressed the button again while the payment is being followed. */
    pressAgain(): void {
      mayOpenWallet = true
      record.apply({ type: 'go' })
      wake()
    },
    /** The member has stopped waiting for the wallet. The payment continues as after a reload of the page. */
    stopWaiting: () => context.stopWaiting(),
    hide: () => void record.apply({ type: 'put-aside' }),
    /** The member has signed out or changed the account: from now on the payment is only watched. */
    forbidWallet(): void {
      mayOpenWallet = false
    },
    /** The member has taken the payment off the list. */
    stop(): void {
      record.discardUnstored()
      wake()
    },
    /** Something may have changed: poll now instead of later. */
    pollNow: () => wake(),
  }
}

/**
 * Reads what chain and pool show about a payment that another tab drives, and returns the payment as this tab would
 * show it. Stores nothing and asks no wallet for anything.
 */
export async function lookAtPayment(payment: Payment, ports: DriverPorts): Promise<Payment> {
  const { wallet, poolNode, now, store } = ports
  const context: DriverContext = {
    record: openRecord(payment.intent.id, { store, now, onChange: () => {} }),
    findWallet: wallet,
    now,
    nodes: createChainNodes({ findWallet: wallet, findPoolNode: poolNode }),
    tooEarly: new Set(),
    permit: null,
    failedReads: 0,
    stopWaiting: () => {},
  }
  let shown = payment
  // A payment that is found is read once more, to show its block and its credit at once.
  for (let reads = 0; reads < LOOK_READS && !isEnded(shown); reads += 1) {
    const event = await pollChain(context, shown)
    const after = event && isNews(event) ? advancePayment(shown, event) : shown
    if (after === shown) break
    shown = after
  }
  return shown
}

const LOOK_READS = 3

/** Only good news is shown: what this tab cannot see may be known to the tab that drives the payment. */
const isNews = (event: PaymentEvent): boolean =>
  hasReachedChain(event) || event.type === 'pool-saw' || event.type === 'pool-credited' || event.type === 'lapsed'

/**
 * After an unexpected error the payment waits for the member's press. Otherwise it would stay in `checking` forever.
 */
async function checkOrStop(context: DriverContext, payment: Payment): Promise<void> {
  try {
    await checkAndAsk(context, payment)
  } catch (error) {
    globalThis.reportError?.(error)
    context.record.stop(null)
  }
}
