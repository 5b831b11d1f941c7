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
  /** Whose they are. Stays after the server has ended the session: what was begun goes on, from the chain alone. */
  readonly account: string | null
  /** The newest first. */
  readonly payments: readonly Payment[]
  /** Those that this tab brings forward, or is about to; the others are another tab's. */
  readonly driven: ReadonlySet<string>
}

export const usePayments = create<Payments>(() => ({ account: null, payments: [], driven: new Set() }))

const tabs = oneTab(globalThis.navigator?.locks)
/** What this tab is driving, what it waits to take over from another, and what it will most likely have in a moment. */
const drives = new Map<string, Drive>()
const queued = new Set<string>()
const expected = new Set<string>()
/** What this tab knows and the browser could not keep: shown from here, for as long as the page is open. */
const unkept = new Map<string, Payment>()
/** A lock that nobody holds comes at once; one that has not come by then is another tab's. */
const EXPECTED_MS = 800
let shelf: Shelf | null = null
let following = false

export type Begun =
  | { readonly kind: 'begun' | 'rejoined'; readonly id: string }
  /** The browser does not keep it, so the wallet is not asked: after a reload nobody would know of the payment. */
  | { readonly kind: 'not-kept' }

/**
 * Begins to pay: stores the intent, then drives it. An equivalent one that is open is taken up instead, unless the member has
 * said that this is one besides.
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

/** The member's press on one that waits. False where another tab has it. */
export async function goOn(id: string): Promise<boolean> {
  if (!shelf) return false
  const running = drives.get(id)
  if (running) {
    running.goOn()
    return true
  }
  return drive(shelf, id)
}

/** The member no longer waits for its wallet to answer. An answer that comes all the same still counts. */
export const stopWaiting = (id: string): void => drives.get(id)?.stopWaiting()

/** Off the list, and still looked for. */
export const putAside = (id: string): void => drives.get(id)?.putAside()

/** Leaves one that has not been paid, or takes one that has ended off the list. */
export function dismiss(id: string): void {
  const payment = unkept.get(id) ?? shelf?.get(id)
  if (!payment || !(isEnded(payment) || mayGiveUp(payment))) return
  unkept.delete(id)
  shelf?.remove(id)
  drives.get(id)?.leave()
  refresh()
}

/**
 * Takes up the payments of whoever is signed in, and follows what other tabs do; again it does nothing. When the server ends
 * the session the payments stay; when the member logs out they are put away.
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
    // What was begun as somebody else is followed to its end, and opens no wallet any more.
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

/** Queues behind the tab that drives it, should there be one, and takes it over when that tab closes. */
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
      // A late answer of the wallet may bring one to life again that nobody was following any more.
      if (!isAtRest(payment)) resume(id)
      // What the pool shows of the member has changed with it.
      if (stage.at === 'confirming' || stage.at === 'credited' || stage.at === 'lapsed')
        for (const name of rulesOf(payment.intent).shownIn) void queryClient.invalidateQueries({ queryKey: [name] })
    },
  })
