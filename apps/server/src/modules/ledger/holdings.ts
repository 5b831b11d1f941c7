import { type Asset, assets } from '@lode/kernel'
import { type KindName, type KindsOf, kinds } from './chart.ts'

/** What the pool holds in one asset, and to whom it belongs. In smallest units. */
export type Holding = {
  readonly symbol: Asset
  /** What the pool holds on the chain according to the ledger: vault plus cold storage. */
  readonly held: bigint
  /** The part of `held` that is in cold storage. */
  readonly cold: bigint
  /** What others own: members, unregistered addresses, and money to be shared out or burned. */
  readonly owed: bigint
  /** What the pool owns: its accounts, its payments under way, and the reserves. */
  readonly own: bigint
  /** What left custody without a payout and was not replaced: held = owed + own − missing. */
  readonly missing: bigint
}

type SystemKind = KindsOf<'system'>

const kindsStartingWith = (...names: readonly string[]): SystemKind[] =>
  (Object.keys(kinds) as KindName[]).filter((kind): kind is SystemKind => names.some((name) => kind.startsWith(name)))

const CUSTODY_KINDS = kindsStartingWith('custody:')
const LOSS = 'pool:loss'
const OWN_KINDS = kindsStartingWith('pool:', 'reserve:').filter((kind) => kind !== LOSS)

/**
 * Returns held, owed, own and missing by asset. The database refuses a transaction that does not sum to zero, so all
 * accounts of an asset sum to zero. Therefore owed is held plus missing minus own, and no query has to sum the accounts
 * of all members.
 */
export function computeHoldings(balance: (kind: SystemKind, asset: Asset) => bigint): Holding[] {
  return assets.map((symbol) => {
    const sumOf = (accountKinds: readonly SystemKind[]) =>
      accountKinds.reduce((sum, kind) => sum + balance(kind, symbol), 0n)
    // The custody accounts are minus what the chain holds.
    const held = -sumOf(CUSTODY_KINDS)
    const own = sumOf(OWN_KINDS)
    const missing = -balance(LOSS, symbol)
    return { symbol, held, cold: -balance('custody:cold', symbol), owed: held + missing - own, own, missing }
  })
}

/** The assets of which the pool holds less than it owes. */
export const findMissingAssets = (balance: (kind: SystemKind, asset: Asset) => bigint): Asset[] =>
  computeHoldings(balance).flatMap(({ symbol, held, owed }) => (held < owed ? [symbol] : []))
