import type { Wallet } from '../discovery.ts'
import { checkAndAsk } from './check-and-ask.ts'
import type { DriveContext } from './drive-context.ts'
import { lookAtChain } from './look-at-chain.ts'
import { isAtRest, type Payment } from './payment.ts'
import { openRecord, type RecordPorts } from './payment-record.ts'
import { createSearch } from './search.ts'

export type DrivePorts = RecordPorts & { readonly wallet: () => Promise<Wallet | null> }

/**
 * The first look comes soon, because most chains have a block by then. Later looks are rarer, to spare the node and the
 * server.
 */
const FIRST_PAUSE_MS = 700
const LONGEST_PAUSE_MS = 10_000
const SLOWING = 1.4

export type Drive = ReturnType<typeof createDrive>

/**
 * Drives one payment until it waits for the member or has ended:
 *
 *     checking ── check-and-ask.ts: read the chain, then open the wallet ──► ask-wallet.ts: permit, approve or pay
 *     sent     ── look-at-chain.ts: look for the transaction and its credit, again and again
 *
 * Every change is stored before anything is done because of it (payment-record.ts). Only one tab may run this at a
 * time.
 */
export function createDrive(id: string, ports: DrivePorts) {
  const { now } = ports
  const record = openRecord(id, ports)
  const context: DriveContext = {
    record,
    findWallet: ports.wallet,
    now,
    search: createSearch(),
    permit: null,
    blindLooks: 0,
    stopWaiting: () => {},
  }
  /**
   * The member has pressed the button on this page: wallets may open until the payment waits for the next press or
   * ends.
   */
  let mayOpenWallet = false
  let wake = () => {}

  async function follow(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; ) {
      record.storeUnkept()
      const payment = record.current()
      if (!payment || isAtRest(payment)) break
      const { stage } = payment
      if (stage.at === 'checking') {
        if (mayOpenWallet) await checkOrStop(context, payment)
        else record.stop(null)
        // The wallet has answered, or the member no longer waits for it.
        if (record.current()?.stage.at === 'asking') break
        continue
      }
      const event = await lookAtChain(context, payment)
      const after = event ? record.apply(event) : payment
      if (after?.stage.at === 'checking' || (after && isAtRest(after))) continue
      pause = after?.stage === stage ? Math.min(pause * SLOWING, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, pause)
      })
    }
    mayOpenWallet = false
    context.permit = null
  }

  return {
    /** Follows a payment that another page began. No wallet opens before the member presses the button. */
    async resume(): Promise<void> {
      record.apply({ type: 'resumed', now: now() })
      await follow()
    },
    /** The member has just pressed the button. */
    async begin(): Promise<void> {
      mayOpenWallet = true
      record.apply({ type: 'go' })
      await follow()
    },
    /** The member has pressed the button again while the payment is being followed. */
    goOn(): void {
      mayOpenWallet = true
      record.apply({ type: 'go' })
      wake()
    },
    /** The member no longer waits for the wallet. The payment goes on as after a reload of the page. */
    stopWaiting: () => context.stopWaiting(),
    putAside: () => void record.apply({ type: 'put-aside' }),
    /** The member has signed out or changed the account: from now on the payment is only watched. */
    openNoMore(): void {
      mayOpenWallet = false
    },
    /** The member has taken the payment off the list. */
    leave(): void {
      record.forgetUnkept()
      wake()
    },
    /** Something may have changed: look now instead of later. */
    lookNow: () => wake(),
  }
}

/**
 * An unexpected error must not leave the payment in `checking` forever. The payment then waits for the member's press.
 */
async function checkOrStop(context: DriveContext, payment: Payment): Promise<void> {
  try {
    await checkAndAsk(context, payment)
  } catch (error) {
    globalThis.reportError?.(error)
    context.record.stop(null)
  }
}
