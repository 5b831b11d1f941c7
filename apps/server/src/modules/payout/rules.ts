import type { Asset } from '@lode/kernel'
import type { GasPrice } from '../../platform/chain/node.ts'
import type { PayoutRow } from './row.ts'

/**
 * The signer's pure decisions. One turn:
 *
 *     a release of ours that is in no block? ── yes ── send it again; later with a higher fee
 *               │ no                                                                       `higherFees`
 *               ▼
 *     may anything be signed at all? ── no ── every payout that is due shows that it waits for the chain
 *               │ yes                                                                      `objection`
 *               ▼
 *     judge each payout that is due ── check ── held; checked again later
 *               │ go                  └─ wait ─── until its time
 *               ▼
 *     choose those that fit ── no room under a cap, or too little in the vault ── queued, with the reason
 *               │                                                                          `nextBatch`
 *               ▼
 *     one call for all of them, signed, stored with its nonce, then sent
 *
 * At most one release at a time is in no block, so that a nonce is never skipped. Many releases may be in blocks that
 * are not final.
 */

/** The most payouts that the vault accepts in one call. */
export const MOST_IN_A_BATCH = 100

export type ByAsset = { readonly [A in Asset]: bigint }

/** How much of each asset may still leave: `cap` is what is left of `wholeCap`, `float` is what the vault can pay. */
export type Room = { readonly cap: ByAsset; readonly wholeCap: ByAsset; readonly float: ByAsset }

export type Batch = {
  readonly release: readonly PayoutRow[]
  readonly waiting: readonly Waiting[]
}

type Waiting = {
  readonly payout: PayoutRow
  readonly waitsFor: 'cap' | 'float'
  /** No later payout of its asset may go before this one, so every turn looks at it. */
  readonly isNext: boolean
}

const LET_PASS_MS = 6 * 3_600_000

/**
 * Chooses the payouts to sign next, in the order of their requests. A payout that does not fit lets smaller ones pass:
 * the float may take a day to be filled, and all others would wait for the largest. Under a cap, smaller ones would use
 * up the room for ever, so they may pass for six hours only. A payout that its token refused before goes alone and
 * last, so that the cause of a second failure is clear. A payout that is neither in the batch nor waiting is chosen in
 * a later turn.
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

/** Returns the smallest amount, and never less than zero. */
export const least = (...amounts: readonly (bigint | undefined)[]): bigint => {
  const given = amounts.filter((amount) => amount !== undefined)
  const [smallest = 0n] = given.toSorted((one, other) => (one < other ? -1 : 1))
  return smallest > 0n ? smallest : 0n
}

const greatest = (one: bigint, other: bigint): bigint => (one < other ? other : one)

// ---- fees -----------------------------------------------------------------------------------------------------------

export type Fees = { readonly maxFee: bigint; readonly maxPriorityFee: bigint }

/**
 * A tip is paid in full. A node's suggestion is followed only up to this tip, or up to the base fee if that is higher.
 */
const PLAIN_TIP = 2_000_000_000n

/** Enough for the base fee to double, as it can within six blocks. Null if gas costs more than `most`. */
export function firstFees({ baseFee, priorityFee }: GasPrice, most: bigint): Fees | null {
  if (baseFee >= most) return null
  const tip = least(priorityFee, greatest(PLAIN_TIP, baseFee))
  const maxFee = least(2n * baseFee + tip, most)
  return maxFee === 0n ? { maxFee: 1n, maxPriorityFee: 0n } : { maxFee, maxPriorityFee: least(tip, maxFee) }
}

/** A node replaces a version only if both fees are a tenth higher; some nodes ask for an eighth. */
const raised = (fee: bigint): bigint => fee + fee / 8n + 1n

/** Returns null if no higher fee is allowed. */
export function higherFees(before: Fees, { baseFee, priorityFee }: GasPrice, most: bigint): Fees | null {
  const [leastMax, leastPriority] = [raised(before.maxFee), raised(before.maxPriorityFee)]
  if (leastMax > most || leastPriority > most) return null
  const priority = greatest(priorityFee, leastPriority)
  const maxFee = least(greatest(2n * baseFee + priority, leastMax), most)
  return { maxFee, maxPriorityFee: least(priority, maxFee) }
}

// ---- nonce ----------------------------------------------------------------------------------------------------------

/**
 * How many of the payer's transactions are in blocks. Each node that answered gives a count; the highest is used,
 * because a node may be behind. A count above the number signed here is believed only if two of several nodes report
 * it: a nonce that is too high blocks everything until all below it are filled. Null if no count can be believed.
 */
export function believedCount(told: readonly bigint[], signed: bigint, nodes: number): bigint | null {
  const [highest, second] = told.toSorted((one, other) => (one > other ? -1 : 1))
  if (highest === undefined) return null
  return highest <= signed + 1n || nodes === 1 ? highest : (second ?? null)
}

const MOST_LEFT_OUT = 3n

/** The count is so far above what was signed here that, if it is wrong, there are too many nonces to fill. */
export const isStrangeCount = (count: bigint, signed: bigint): boolean => count > signed + 1n + MOST_LEFT_OUT

// ---- may anything be signed -----------------------------------------------------------------------------------------

/** What was read before anything is signed. */
export type View = {
  readonly books: {
    readonly stopped: string | null
    /** The worker reads the chain again from an earlier block, and the ledger is still ahead of it. */
    readonly readAgain: boolean
    readonly postedNumber: bigint
    readonly postedTime: Date
    readonly vault: ByAsset
  } | null
  /** What the vault holds at the posted block, or null if the node has dropped that state. */
  readonly held: ByAsset | null
  readonly finalizedTime: Date
  readonly paused: boolean
  readonly mayPay: boolean
  readonly payer: string
}

const BEHIND_SECONDS = 600

/** Returns the reason in words why nothing may be signed now, or null. */
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
