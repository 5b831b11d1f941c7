import { create } from 'zustand'
import { queryClient } from '../../shared/api/index.ts'
import { reloadOnce } from '../../shared/parts/index.ts'
import { session, storage } from '../../shared/session/index.ts'
import { findWallet } from '../find-wallet.ts'
import {
  type Intent,
  isAtRest,
  isEnded,
  isEquivalent,
  isStale,
  mayGiveUp,
  type Payment,
  type PaymentTerms,
  type WalletRequest,
} from './payment.ts'
import type { DriverPorts, PaymentDriver } from './payment-driver.ts'
import { createPayment } from './payment-machine.ts'
import { openPaymentStore, type PaymentStore } from './payment-store.ts'
import { findPoolNode } from './pool-node.ts'
import { selectPurposeRules } from './select-purpose-rules.ts'
import { createTabLock } from './tab-lock.ts'

type Payments = {
  /**
   * The account that the payments belong to. It stays after the server ends the session, because the payments continue
   * from the chain alone.
   */
  readonly account: string | null
  /** Newest first. */
  readonly payments: readonly Payment[]
  /** The payments that this tab drives or is about to drive. Another tab drives each other one that is not at rest. */
  readonly driven: ReadonlySet<string>
}

export const usePayments = create<Payments>(() => ({ account: null, payments: [], driven: new Set() }))

const tabLock = createTabLock(globalThis.navigator?.locks)
/** The payments that this tab drives. */
const drivers = new Map<string, PaymentDriver>()
/** The payments that this tab takes over when the tab that drives them closes. */
const queued = new Set<string>()
/**
 * The payments that count as driven by this tab although it has no lock yet: those that it has just begun, and those whose
 * lock it requested less than `LOCK_GRANT_MS` ago.
 */
const expectedLocks = new Set<string>()
/** Payments whose newest state the browser could not store. It is shown from here while the page is open. */
const unstored = new Map<string, Payment>()
/**
 * What this tab has seen itself about payments that another tab drives. A phone can suspend that tab, and then it
 * reports nothing. A change by the driving tab replaces it.
 */
const seenHere = new Map<string, Payment>()
/** When a payment last changed, as far as this tab knows. */
const changedAt = new Map<string, number>()
/** A tab that reports nothing for this long may be suspended. */
const SILENCE_MS = 30_000
const LOOK_PAUSE_MS = 10_000
/** A free lock is granted at once. If this tab has not got it within this time, another tab holds it. */
const LOCK_GRANT_MS = 800
/** A press opens the wallet at most this much later, because the member may be doing something else by then. */
const PRESS_COUNTS_MS = 20_000
let currentStore: PaymentStore | null = null
let isFollowing = false

export type BeginResult =
  | { readonly kind: 'begun' | 'rejoined'; readonly id: string }
  /** The browser cannot store the payment, so the wallet is not asked: after a reload the payment would be forgotten. */
  | { readonly kind: 'not-kept' }
  /** Another tab is beginning a payment and has not finished in time. */
  | { readonly kind: 'busy' }
  /** The part of the app that follows payments could not be loaded. */
  | { readonly kind: 'not-loaded' }

/**
 * Begins a payment: stores the intent, then drives it. If an equivalent payment has not ended, the member rejoins that
 * one instead, unless the member confirmed that this is an additional payment.
 */
export async function beginPayment(
  terms: PaymentTerms,
  requests: readonly WalletRequest[],
  { isAdditional = false } = {},
): Promise<BeginResult> {
  if (!(await loadDriver())) return { kind: 'not-loaded' }
  keepStorage()
  const accountStore = followAccount(terms.account)
  const intent: Intent = { ...terms, id: crypto.randomUUID(), createdAt: Date.now() }
  const attempt = await tabLock.tryRun(`payments.${terms.account}`, async (): Promise<BeginResult> => {
    const existing = accountStore.all().find((one) => !isEnded(one) && isEquivalent(one.intent, intent))
    if (existing && !isAdditional) return { kind: 'rejoined', id: existing.intent.id }
    return accountStore.put(createPayment(intent, requests)) ? { kind: 'begun', id: intent.id } : { kind: 'not-kept' }
  })
  if (!attempt.did) return { kind: 'busy' }
  refresh()
  if (attempt.value.kind === 'begun') startNew(accountStore, attempt.value.id)
  return attempt.value
}

/** Asks the browser to keep this page's storage, with the record of the payment. A refusal changes nothing. */
function keepStorage(): void {
  void navigator.storage?.persist?.().catch(() => {})
}

/**
 * The member pressed the button of a waiting payment. False if another tab drives it. If this call starts the driver,
 * it returns only when the driver has ended.
 */
export async function continuePayment(id: string): Promise<boolean> {
  if (!currentStore) return false
  const running = drivers.get(id)
  if (running) {
    running.pressAgain()
    return true
  }
  return startDriver(currentStore, id)
}

/** The member stops waiting for the wallet's answer. The app still accepts an answer that comes later. */
export const stopWaiting = (id: string): void => drivers.get(id)?.stopWaiting()

/** Hides the payment from the list. The app still looks for it. */
export const hidePayment = (id: string): void => drivers.get(id)?.hide()

/** Gives up a payment that was not sent, or removes an ended one from the list. */
export function dismissPayment(id: string): void {
  const payment = unstored.get(id) ?? currentStore?.get(id)
  if (!payment || !(isEnded(payment) || mayGiveUp(payment))) return
  unstored.delete(id)
  currentStore?.remove(id)
  drivers.get(id)?.stop()
  refresh()
}

/**
 * Loads the payments of the signed-in member and follows changes by other tabs. A second call does nothing. If the
 * server ends the session, the payments stay on the screen. If the member logs out, they disappear from it.
 */
export function followPayments(): void {
  if (isFollowing) return
  isFollowing = true
  followAccount(session.get().account)
  session.subscribe((now, before) => {
    if (now.account === before.account) return
    if (now.account !== null) followAccount(now.account)
    else if (!now.expired) followAccount(null)
  })
  window.addEventListener('storage', ({ key }) => {
    const id = key === null ? null : currentStore?.idOf(key)
    if (!id) return
    seenHere.delete(id)
    changedAt.set(id, Date.now())
    refresh()
    resume(id)
  })
  setInterval(() => void lookAtSilentPayments(), LOOK_PAUSE_MS)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return
    for (const one of drivers.values()) one.pollNow()
    resumeAll()
  })
}

function followAccount(account: string): PaymentStore
function followAccount(account: string | null): PaymentStore | null
function followAccount(account: string | null): PaymentStore | null {
  if (account?.toLowerCase() !== usePayments.getState().account?.toLowerCase()) {
    // Payments of the previous account are followed to their end, but no longer open a wallet.
    for (const one of drivers.values()) one.forbidWallet()
    currentStore = account === null ? null : openPaymentStore(storage, account)
    usePayments.setState({ account, payments: [] })
    for (const one of currentStore?.all() ?? []) if (isStale(one, Date.now())) currentStore?.remove(one.intent.id)
    refresh()
    resumeAll()
  }
  return currentStore
}

function resumeAll(): void {
  for (const { intent } of currentStore?.all() ?? []) resume(intent.id)
}

const refresh = (): void =>
  usePayments.setState({
    payments: (currentStore?.all() ?? []).map(
      (stored) => unstored.get(stored.intent.id) ?? seenHere.get(stored.intent.id) ?? stored,
    ),
  })

/** Looks at payments that another tab drives and of which this tab has heard nothing for a while. Stores nothing. */
async function lookAtSilentPayments(): Promise<void> {
  const accountStore = currentStore
  if (document.visibilityState !== 'visible' || !accountStore) return
  for (const stored of accountStore.all()) {
    const { id } = stored.intent
    if (drivers.has(id) || expectedLocks.has(id) || isAtRest(stored, Date.now())) continue
    const since = changedAt.get(id) ?? Date.now()
    changedAt.set(id, since)
    if (Date.now() - since < SILENCE_MS) continue
    const module = await loadDriver()
    const shown = seenHere.get(id) ?? stored
    const seen = module && (await module.lookAtPayment(shown, portsOf(accountStore, id)))
    // The driving tab may have reported something during the read.
    if (!seen || seen === shown || changedAt.get(id) !== since || accountStore !== currentStore) continue
    seenHere.set(id, seen)
    invalidateChangedReads(seen)
    refresh()
  }
}

/** Waits until no other tab drives the payment, and then takes it over. */
function resume(id: string): void {
  const accountStore = currentStore
  const payment = accountStore?.get(id)
  if (!accountStore || !payment || isAtRest(payment, Date.now()) || drivers.has(id) || queued.has(id)) return
  queued.add(id)
  expectLock(id)
  void tabLock.runWhenFree(lockName(id), () => {
    queued.delete(id)
    return runDriver(accountStore, id, (one) => one.resume())
  })
}

/**
 * Drives a payment that this tab has just begun. On a slow phone the browser may take seconds to grant the lock, although
 * no other tab wants it. If it comes too late, the wallet does not open by itself any more.
 */
function startNew(accountStore: PaymentStore, id: string): void {
  const pressedAt = Date.now()
  queued.add(id)
  expectedLocks.add(id)
  updateDriven()
  void tabLock.runWhenFree(lockName(id), () => {
    queued.delete(id)
    expectedLocks.delete(id)
    const isLate = Date.now() - pressedAt > PRESS_COUNTS_MS
    return runDriver(accountStore, id, (one) => (isLate ? one.resume() : one.begin()))
  })
}

async function startDriver(accountStore: PaymentStore, id: string): Promise<boolean> {
  expectLock(id)
  return (await tabLock.tryRun(lockName(id), () => runDriver(accountStore, id, (one) => one.begin()))).did
}

async function runDriver(
  accountStore: PaymentStore,
  id: string,
  work: (driver: PaymentDriver) => Promise<void>,
): Promise<void> {
  const module = await loadDriver()
  if (!module) return
  const driver = module.createPaymentDriver(id, portsOf(accountStore, id))
  drivers.set(id, driver)
  seenHere.delete(id)
  updateDriven()
  try {
    await work(driver)
  } finally {
    drivers.delete(id)
    updateDriven()
  }
}

function expectLock(id: string): void {
  expectedLocks.add(id)
  updateDriven()
  setTimeout(() => {
    expectedLocks.delete(id)
    updateDriven()
  }, LOCK_GRANT_MS)
}

const updateDriven = (): void => usePayments.setState({ driven: new Set([...drivers.keys(), ...expectedLocks]) })

const lockName = (id: string): string => `payment.${id}`

/**
 * Loads the part of the app that follows payments. It is large, and only a member who pays needs it. Null if it cannot
 * be loaded now.
 */
async function loadDriver(): Promise<typeof import('./payment-driver.ts') | null> {
  try {
    return await import('./payment-driver.ts')
  } catch {
    reloadOnce()
    return null
  }
}

const portsOf = (accountStore: PaymentStore, id: string): DriverPorts => ({
  store: accountStore,
  wallet: findWallet,
  poolNode: findPoolNode,
  now: () => Date.now(),
  onChange: (payment, isStored) => {
    if (isStored) unstored.delete(id)
    else unstored.set(id, payment)
    changedAt.set(id, Date.now())
    if (accountStore === currentStore) refresh()
    // A late answer of the wallet can make a payment active again that no tab was following.
    if (!isAtRest(payment, Date.now())) resume(id)
    invalidateChangedReads(payment)
  },
})

/** Reads the member's data again that this payment has changed. */
function invalidateChangedReads({ intent, stage }: Payment): void {
  if (stage.at !== 'confirming' && stage.at !== 'credited' && stage.at !== 'lapsed') return
  for (const name of selectPurposeRules(intent).changedRoutes) {
    // What is on the screen is only read again. An invalidation would drop the older lines of a list, which the member
    // may be reading.
    void queryClient.refetchQueries({ queryKey: [name], type: 'active' })
    void queryClient.invalidateQueries({ queryKey: [name], type: 'inactive', refetchType: 'none' })
  }
}
