import { create } from 'zustand'
import { queryClient } from '../../shared/api/index.ts'
import { session, storage } from '../../shared/session/index.ts'
import { foundWallet } from '../found-wallet.ts'
import { createDrive, type Drive } from './drive.ts'
import { begun } from './next.ts'
import { oneTab } from './one-tab.ts'
import {
  type Intent,
  isAtRest,
  isEnded,
  isEquivalent,
  isStale,
  mayGiveUp,
  type Payment,
  type Request,
} from './payment.ts'
import { rulesOf } from './purposes.ts'
import { openShelf, type Shelf } from './stored.ts'

type Payments = {
  /**
   * The account that the payments belong to. It stays after the server ends the session, because the payments continue
   * from the chain alone.
   */
  readonly account: string | null
  /** Newest first. */
  readonly payments: readonly Payment[]
  /** The payments that this tab drives or is about to drive. Other tabs drive the rest. */
  readonly driven: ReadonlySet<string>
}

export const usePayments = create<Payments>(() => ({ account: null, payments: [], driven: new Set() }))

const tabs = oneTab(globalThis.navigator?.locks)
/**
 * Payments that this tab drives, those that it waits to take over from another tab, and those whose lock it expects to
 * get in a moment.
 */
const drives = new Map<string, Drive>()
const queued = new Set<string>()
const expected = new Set<string>()
/** Payments that the browser could not store. They are shown from here while the page is open. */
const unkept = new Map<string, Payment>()
/** A free lock is granted at once. If it was not granted within this time, another tab holds it. */
const EXPECTED_MS = 800
let shelf: Shelf | null = null
let following = false

export type Begun =
  | { readonly kind: 'begun' | 'rejoined'; readonly id: string }
  /**
   * The browser cannot store the payment, so the wallet is not asked: after a reload the payment would be forgotten.
   */
  | { readonly kind: 'not-kept' }

/**
 * Begins a payment: stores the intent, then drives it. If an equivalent payment is open, that one continues instead,
 * unless the member confirmed that this is an additional payment.
 */
export async function beginPayment(
  terms: Omit<Intent, 'id' | 'createdAt'>,
  requests: readonly Request[],
  { besides = false } = {},
): Promise<Begun> {
  const mine = followed(terms.account)
  const intent: Intent = { ...terms, id: crypto.randomUUID(), createdAt: Date.now() }
  const made = await tabs.now(`payments.${terms.account}`, async (): Promise<Begun> => {
    const open = mine.all().find((one) => !isEnded(one) && isEquivalent(one.intent, intent))
    if (open && !besides) return { kind: 'rejoined', id: open.intent.id }
    return mine.put(begun(intent, requests)) ? { kind: 'begun', id: intent.id } : { kind: 'not-kept' }
  })
  if (!made.did) return { kind: 'not-kept' }
  refresh()
  if (made.value.kind === 'begun') void drive(mine, made.value.id)
  return made.value
}

/** The member pressed the button of a waiting payment. False if another tab drives it. */
export async function goOn(id: string): Promise<boolean> {
  if (!shelf) return false
  const running = drives.get(id)
  if (running) {
    running.goOn()
    return true
  }
  return drive(shelf, id)
}

/** The member no longer waits for the wallet's answer. An answer that still comes is accepted. */
export const stopWaiting = (id: string): void => drives.get(id)?.stopWaiting()

/** Hides the payment from the list. The app still looks for it. */
export const putAside = (id: string): void => drives.get(id)?.putAside()

/** Gives up a payment that was not sent, or removes an ended one from the list. */
export function dismiss(id: string): void {
  const payment = unkept.get(id) ?? shelf?.get(id)
  if (!payment || !(isEnded(payment) || mayGiveUp(payment))) return
  unkept.delete(id)
  shelf?.remove(id)
  drives.get(id)?.leave()
  refresh()
}

/**
 * Loads the payments of the signed-in member and follows changes by other tabs. A second call does nothing. If the
 * server ends the session, the payments stay; when the member logs out, they are removed from the view.
 */
export function followPayments(): void {
  if (following) return
  following = true
  followed(session.get().account)
  session.subscribe((now, before) => {
    if (now.account === before.account) return
    if (now.account !== null) followed(now.account)
    else if (!now.expired) followed(null)
  })
  window.addEventListener('storage', ({ key }) => {
    const id = key === null ? null : shelf?.idOf(key)
    if (!id) return
    refresh()
    resume(id)
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') for (const one of drives.values()) one.lookNow()
  })
}

function followed(account: string): Shelf
function followed(account: string | null): Shelf | null
function followed(account: string | null): Shelf | null {
  if (account?.toLowerCase() !== usePayments.getState().account?.toLowerCase()) {
    // Payments of the previous account are followed to their end, but no longer open a wallet.
    for (const one of drives.values()) one.openNoMore()
    shelf = account === null ? null : openShelf(storage, account)
    usePayments.setState({ account, payments: [] })
    for (const one of shelf?.all() ?? []) if (isStale(one, Date.now())) shelf?.remove(one.intent.id)
    refresh()
    for (const { intent } of shelf?.all() ?? []) resume(intent.id)
  }
  return shelf
}

const refresh = (): void =>
  usePayments.setState({ payments: (shelf?.all() ?? []).map((stored) => unkept.get(stored.intent.id) ?? stored) })

/** Waits for the lock of the tab that drives the payment, and takes the payment over when that tab closes. */
function resume(id: string): void {
  const mine = shelf
  const payment = mine?.get(id)
  if (!mine || !payment || isAtRest(payment) || drives.has(id) || queued.has(id)) return
  queued.add(id)
  expect(id)
  void tabs.inTurn(lockOf(id), () => {
    queued.delete(id)
    return driving(mine, id, (one) => one.resume())
  })
}

async function drive(mine: Shelf, id: string): Promise<boolean> {
  expect(id)
  return (await tabs.now(lockOf(id), () => driving(mine, id, (one) => one.begin()))).did
}

async function driving(mine: Shelf, id: string, work: (drive: Drive) => Promise<void>): Promise<void> {
  const one = driveOf(mine, id)
  drives.set(id, one)
  showDriven()
  try {
    await work(one)
  } finally {
    drives.delete(id)
    showDriven()
  }
}

function expect(id: string): void {
  expected.add(id)
  showDriven()
  setTimeout(() => {
    expected.delete(id)
    showDriven()
  }, EXPECTED_MS)
}

const showDriven = (): void => usePayments.setState({ driven: new Set([...drives.keys(), ...expected]) })

const lockOf = (id: string): string => `payment.${id}`

const driveOf = (mine: Shelf, id: string): Drive =>
  createDrive(id, {
    shelf: mine,
    wallet: foundWallet,
    now: () => Date.now(),
    changed: (payment, isKept) => {
      const { stage } = payment
      if (isKept) unkept.delete(id)
      else unkept.set(id, payment)
      if (mine === shelf) refresh()
      // A late answer of the wallet can make a payment active again that no tab was following.
      if (!isAtRest(payment)) resume(id)
      // Refreshes the member's data that this payment changes.
      if (stage.at === 'confirming' || stage.at === 'credited' || stage.at === 'lapsed')
        for (const name of rulesOf(payment.intent).shownIn) void queryClient.invalidateQueries({ queryKey: [name] })
    },
  })
