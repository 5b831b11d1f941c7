import type { Asset } from '@lode/kernel'
import type { GasPrice } from '../../platform/chain/node.ts'
import type { PayoutRow } from './row.ts'

/**
 * What the signer decides without asking anybody. One turn:
 *
 *     a release of ours that no block has taken? ── yes ── send it again; after a while the same for a higher fee
 *               │ no                                                                       `higherFees`
 *               ▼
 *     may anything be signed at all? ── no ── every payout that is due says that it waits for the chain
 *               │ yes                                                                      `objection`
 *               ▼
 *     those that are due, each judged ── check ── held; looked at again later
 *               │ go                  └─ wait ─── until its time
 *               ▼
 *     what fits ── no room under a cap, or not enough in the vault ── queued, and says which
 *               │                                                                          `nextBatch`
 *               ▼
 *     one call for all of them, signed, stored with its nonce, then sent
 *
 * There is one release at a time that no block has taken, so that a nonce is never skipped; those that blocks have taken and
 * that are not final may be many.
 */

/** As many as the vault takes at once. */
export const MOST_IN_A_BATCH = 100

export type ByAsset = { readonly [A in Asset]: bigint }

/** How much of an asset may still leave: under the caps, which are so much as a whole, and out of what is there. */
export type Room = { readonly cap: ByAsset; readonly wholeCap: ByAsset; readonly float: ByAsset }

export type Batch = {
  readonly release: readonly PayoutRow[]
  readonly waiting: readonly Waiting[]
}

type Waiting = {
  readonly payout: PayoutRow
  readonly waitsFor: 'cap' | 'float'
  /** No younger one of its asset goes before it: it is to be there at every turn. */
  readonly isNext: boolean
}

const LET_PASS_MS = 6 * 3_600_000

/**
 * What goes next of those that may go, in the order in which they were asked for. One that does not fit lets smaller ones
 * pass: the float may take a day to be filled, and they would all wait for the largest. Under a cap they would take the room
 * for ever, as fast as it comes: there they pass for six hours. One that its token would not make before goes alone, so that it
 * is known whose fault it is, and when nothing else goes. What is neither in the batch nor waiting has its turn next.
 */
export function nextBatch(going: readonly PayoutRow[], room: Room, most: number, now: Date): Batch {
  const inOrder = going.toSorted((one, other) => (one.number < other.number ? -1 : 1))
  const suspectsLast = [...inOrder.filter((payout) => !isSuspect(payout)), ...inOrder.filter(isSuspect)]
  const cap: Record<Asset, bigint> = { ...room.cap }
  const float: Record<Asset, bigint> = { ...room.float }
  const release: PayoutRow[] = []
  const waiting: Waiting[] = []
  const closed = new Set<Asset>()
  for (const payout of suspectsLast) {
    const { asset, amount, requestedAt } = payout
    const waitedLong = now.getTime() - requestedAt.getTime() > LET_PASS_MS
    if (closed.has(asset)) waiting.push({ payout, waitsFor: 'cap', isNext: false })
    else if (amount > cap[asset]) {
      const isNext = waitedLong && amount <= room.wholeCap[asset]
      waiting.push({ payout, waitsFor: 'cap', isNext })
      if (isNext) closed.add(asset)
    } else if (amount > float[asset]) waiting.push({ payout, waitsFor: 'float', isNext: false })
    else if (release.length < most && mayJoin(release, payout)) {
      cap[asset] -= amount
      float[asset] -= amount
      release.push(payout)
    }
  }
  return { release, waiting }
}

const isSuspect = ({ tokenFailures }: PayoutRow): boolean => tokenFailures > 0

const mayJoin = ([first]: readonly PayoutRow[], payout: PayoutRow): boolean =>
  first === undefined || !(isSuspect(first) || isSuspect(payout))

/** Never below zero. */
export const least = (...amounts: readonly (bigint | undefined)[]): bigint => {
  const given = amounts.filter((amount) => amount !== undefined)
  const [smallest = 0n] = given.toSorted((one, other) => (one < other ? -1 : 1))
  return smallest > 0n ? smallest : 0n
}

const greatest = (one: bigint, other: bigint): bigint => (one < other ? other : one)

// ---- fees ---------------------------------------------------------------------------------------------------------------

export type Fees = { readonly maxFee: bigint; readonly maxPriorityFee: bigint }

/** A tip is paid in full, whatever a block would have done with: more than this, or than gas itself costs, is on no node's word. */
const PLAIN_TIP = 2_000_000_000n

/** Enough for the base fee to double, as it can within six blocks. Null where gas costs more than may be paid for it. */
export function firstFees({ baseFee, priorityFee }: GasPrice, most: bigint): Fees | null {
  if (baseFee >= most) return null
  const tip = least(priorityFee, greatest(PLAIN_TIP, baseFee))
  const maxFee = least(2n * baseFee + tip, most)
  return maxFee === 0n ? { maxFee: 1n, maxPriorityFee: 0n } : { maxFee, maxPriorityFee: least(tip, maxFee) }
}

/** Nodes take another form in the place of one they have only if both fees are higher by a tenth; some ask for an eighth. */
const raised = (fee: bigint): bigint => fee + fee / 8n + 1n

/** Null where there is no higher fee that may be paid. */
export function higherFees(before: Fees, { baseFee, priorityFee }: GasPrice, most: bigint): Fees | null {
  const [leastMax, leastPriority] = [raised(before.maxFee), raised(before.maxPriorityFee)]
  if (leastMax > most || leastPriority > most) return null
  const priority = greatest(priorityFee, leastPriority)
  const maxFee = least(greatest(2n * baseFee + priority, leastMax), most)
  return { maxFee, maxPriorityFee: least(priority, maxFee) }
}

// ---- which nonce --------------------------------------------------------------------------------------------------------

/**
 * How many of the payer's transactions blocks have taken, by what each node says that answered: the highest, for one may be
 * behind. More than were signed here is believed only where two of several nodes say so: under a nonce that is too high nothing
 * goes until all below are filled. Null where there is nobody to believe.
 */
export function believedCount(told: readonly bigint[], signed: bigint, nodes: number): bigint | null {
  const [highest, second] = told.toSorted((one, other) => (one > other ? -1 : 1))
  if (highest === undefined) return null
  return highest <= signed + 1n || nodes === 1 ? highest : (second ?? null)
}

const MOST_LEFT_OUT = 3n

/** So far beyond what was signed here that, if it is wrong, the nonces left out are too many to be filled. */
export const isStrangeCount = (count: bigint, signed: bigint): boolean => count > signed + 1n + MOST_LEFT_OUT

// ---- whether at all -----------------------------------------------------------------------------------------------------

/** What was seen before anything is signed. */
export type View = {
  readonly books: {
    readonly stopped: string | null
    /** Read again from an earlier block: until they have come back to where they were, they are ahead of it. */
    readonly readAgain: boolean
    readonly postedNumber: bigint
    readonly postedTime: Date
    readonly vault: ByAsset
  } | null
  /** What the vault holds at the posted block, or null where the node does not know any more. */
  readonly held: ByAsset | null
  readonly finalizedTime: Date
  readonly paused: boolean
  readonly mayPay: boolean
  readonly payer: string
}

const BEHIND_SECONDS = 600

/** Why nothing at all may be signed now, in words, or null. */
export function objection({ books, held, finalizedTime, paused, mayPay, payer }: View): string | null {
  if (!mayPay) return `${payer} is not a payer of the vault`
  if (!books) return 'the books of this chain have not begun'
  if (books.stopped !== null) return `the books are stopped: ${books.stopped}`
  if (books.readAgain) return 'the chain is being read again from an earlier block'
  const behind = Math.round((finalizedTime.getTime() - books.postedTime.getTime()) / 1_000)
  if (behind > BEHIND_SECONDS) return `the books are ${behind} seconds behind the chain`
  if (!held) return `the node does not know what the vault held at block ${books.postedNumber}`
  const differing = (['USDT', 'BTN', 'BTC'] as const).filter((asset) => held[asset] !== books.vault[asset])
  if (differing.length > 0)
    return `at block ${books.postedNumber} the vault holds ${differing
      .map((asset) => `${held[asset]} ${asset}, and by the books ${books.vault[asset]}`)
      .join('; ')}`
  return paused ? 'the vault is paused' : null
}
