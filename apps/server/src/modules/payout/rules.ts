import { type Asset, assets } from '@lode/kernel'
import { formatCoins, type PoolContracts } from '../../platform/config/pool-contracts.ts'
import type { PayoutRow } from './payout-row.ts'

/**
 * The signer's pure decisions. One turn:
 *
 *     is a release of the payer in no block? ── yes ── send it again; later with a higher fee
 *               │ no                                                                       `higherFees`
 *               ▼
 *     does the preflight succeed? ── no ── every payout that is due shows that it waits for the chain
 *               │ yes                                                                      `findPreflightFailure`
 *               ▼
 *     judge each payout that is due ── check ── held; checked again later
 *               │ go                  └─ wait ─── until its time
 *               ▼
 *     choose those that fit ── no room under a cap, or too little in the vault ── queued, with the reason
 *               │                                                                          `chooseBatch`
 *               ▼
 *     one call for all of them, signed, stored with its nonce, then sent
 *
 * A new release is signed only when all releases of the payer are in blocks, so that no nonce is skipped. These blocks
 * need not be final.
 */

/** The most payouts that the vault accepts in one call. */
export const MAX_BATCH_SIZE = 100

export type ByAsset = { readonly [A in Asset]: bigint }

/** How much of each asset may still leave: `cap` is the rest of `wholeCap`; the vault can pay `float`. */
export type Room = { readonly cap: ByAsset; readonly wholeCap: ByAsset; readonly float: ByAsset }

/** Assets of which nothing may be paid now: the chain contradicts the ledger, or the pool holds less than it owes. */
export type BlockedAssets = ReadonlyMap<Asset, 'chain' | 'missing'>

export type Batch = {
  readonly release: readonly PayoutRow[]
  readonly waiting: readonly WaitingPayout[]
}

type WaitingPayout = {
  readonly payout: PayoutRow
  readonly waitsFor: 'cap' | 'float' | 'chain' | 'missing'
  /** If true, no later payout of its asset may go before this one, and every turn judges it. */
  readonly isNext: boolean
}

const SMALLER_MAY_PASS_MS = 6 * 3_600_000

/**
 * Chooses the payouts to sign next, in the order of their requests. Smaller payouts may go before one that does not
 * fit: filling the float may take a day, and otherwise all would wait for the largest. Under a cap, smaller payouts
 * could use up the room for ever, so they may go first only until six hours after the request of the larger one. A
 * payout above the whole cap fits only after the cap is raised, so no other payout waits for it. A payout that its
 * token refused before goes last and in a release of its own, so that the cause of a second failure is clear. A payout
 * that is neither in the batch nor waiting stays due, and is judged again in a later turn. A payout of a blocked asset
 * waits with the reason in `blocked`.
 */
export function chooseBatch(
  going: readonly PayoutRow[],
  room: Room,
  maxPayouts: number,
  now: Date,
  blocked: BlockedAssets = new Map(),
): Batch {
  const inOrder = going.toSorted((one, other) => (one.number < other.number ? -1 : 1))
  const suspectsLast = [...inOrder.filter((payout) => !hasTokenFailure(payout)), ...inOrder.filter(hasTokenFailure)]
  const cap: Record<Asset, bigint> = { ...room.cap }
  const float: Record<Asset, bigint> = { ...room.float }
  const release: PayoutRow[] = []
  const waiting: WaitingPayout[] = []
  const closed = new Set<Asset>()
  for (const payout of suspectsLast) {
    const { asset, amount, requestedAt } = payout
    const waitedLong = now.getTime() - requestedAt.getTime() > SMALLER_MAY_PASS_MS
    const blockedBy = blocked.get(asset)
    if (blockedBy !== undefined) waiting.push({ payout, waitsFor: blockedBy, isNext: false })
    else if (closed.has(asset)) waiting.push({ payout, waitsFor: 'cap', isNext: false })
    else if (amount > cap[asset]) {
      const isNext = waitedLong && amount <= room.wholeCap[asset]
      waiting.push({ payout, waitsFor: 'cap', isNext })
      if (isNext) closed.add(asset)
    } else if (amount > float[asset]) waiting.push({ payout, waitsFor: 'float', isNext: false })
    else if (release.length < maxPayouts && mayJoin(release, payout)) {
      cap[asset] -= amount
      float[asset] -= amount
      release.push(payout)
    }
  }
  return { release, waiting }
}

const hasTokenFailure = ({ tokenFailures }: PayoutRow): boolean => tokenFailures > 0

const mayJoin = ([first]: readonly PayoutRow[], payout: PayoutRow): boolean =>
  first === undefined || !(hasTokenFailure(first) || hasTokenFailure(payout))

// ---- nonce ----------------------------------------------------------------------------------------------------------

/** The highest nonce that was signed here, and the highest that is spent in a final block; -1 if there is none. */
export type LastNonces = { readonly signed: bigint; readonly ended: bigint }

/**
 * Returns how many of the payer's transactions are in blocks. `counts` has one count of each origin that answered. Counts
 * that lack a final transaction are of nodes that are behind, and are left out. Of the rest, the second highest is used:
 * two nodes must say that a release is in a block, or it is sent again, which does no harm. If only one of several nodes
 * is left, its count is used up to the number signed here: a release with a nonce that is too high would never be mined.
 * Null if there is no such count.
 */
export function chooseTransactionCount(
  counts: readonly bigint[],
  { signed, ended }: LastNonces,
  nodes: number,
): bigint | null {
  const upToDate = counts.filter((count) => count > ended)
  const usable = upToDate.length > 0 ? upToDate : counts
  if (usable.length === 0) return null
  const count = confirmedCount(usable)
  return usable.length > 1 || count <= signed + 1n || nodes === 1 ? count : null
}

/** What two nodes say: the second highest count, or the only one. */
export function confirmedCount(counts: readonly bigint[]): bigint {
  const [highest = 0n, second = highest] = counts.toSorted((one, other) => (one > other ? -1 : 1))
  return second
}

// ---- preflight ------------------------------------------------------------------------------------------------------

/** What the preflight has read from the ledger and the chain. */
export type PreflightFacts = {
  readonly ledger: {
    readonly stopped: string | null
    /** True while the worker reads the chain again from an earlier block and has not yet caught up with the ledger. */
    readonly readAgain: boolean
    readonly postedNumber: bigint
    readonly postedTime: Date
    readonly vault: ByAsset
  } | null
  /** The vault balances at the posted block, or null if the node has dropped that state. */
  readonly held: ByAsset | null
  /** The assets that the worker has stopped, each with the reason. */
  readonly assetStops: ReadonlyMap<Asset, string>
  readonly finalizedTime: Date
  readonly paused: boolean
  readonly mayPay: boolean
  readonly payer: string
}

const MAX_BEHIND_SECONDS = 600

/** Returns the reason, as text, why nothing may be signed now, or null. */
export function findPreflightFailure({
  ledger,
  held,
  finalizedTime,
  paused,
  mayPay,
  payer,
}: PreflightFacts): string | null {
  if (!mayPay) return `${payer} is not a payer of the vault`
  if (!ledger) return 'the worker has not started the ledger of this chain yet'
  if (ledger.stopped !== null) return `the worker has stopped: ${ledger.stopped}`
  if (ledger.readAgain) return 'the chain is being read again from an earlier block'
  const behind = Math.round((finalizedTime.getTime() - ledger.postedTime.getTime()) / 1_000)
  if (behind > MAX_BEHIND_SECONDS) return `the ledger is ${behind} seconds behind the chain`
  if (!held) return `the node does not know what the vault held at block ${ledger.postedNumber}`
  return paused ? 'the vault is paused' : null
}

/**
 * The assets of which nothing may be signed now, each with the reason as text: the worker has stopped the asset, or the
 * vault holds another amount than the ledger says. The other assets are paid.
 */
export function findBlockedAssets(
  { ledger, held, assetStops }: Pick<PreflightFacts, 'ledger' | 'held' | 'assetStops'>,
  pool: Pick<PoolContracts, 'tokens'>,
): Map<Asset, string> {
  const blocked = new Map<Asset, string>()
  for (const asset of assets) {
    const stop = assetStops.get(asset)
    if (stop !== undefined) blocked.set(asset, `the worker has stopped ${asset}: ${stop}`)
    else if (ledger && held && held[asset] !== ledger.vault[asset])
      blocked.set(
        asset,
        `at block ${ledger.postedNumber} the vault holds ${formatCoins(pool, asset, held[asset])}, but by the ledger ${formatCoins(pool, asset, ledger.vault[asset])}`,
      )
  }
  return blocked
}
