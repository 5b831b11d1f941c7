import { type Asset, assets } from '@lode/kernel'
import { type KindName, type KindsOf, kinds } from './chart.ts'

/** In smallest units. */
export type Holding = {
  readonly symbol: Asset
  /** On the chain, by the books: in the vault and in cold storage; and of it what is in cold storage. */
  readonly held: bigint
  readonly cold: bigint
  /** What of it is somebody else's: members', also on its way to them; strangers'; what is to be shared out or burned. */
  readonly owed: bigint
  /** What of it is the pool's: its funds, also on their way out, and the reserves. */
  readonly own: bigint
}

type SystemKind = KindsOf<'system'>

const beginningWith = (...names: readonly string[]): SystemKind[] =>
  (Object.keys(kinds) as KindName[]).filter((kind): kind is SystemKind => names.some((name) => kind.startsWith(name)))

const CUSTODY = beginningWith('custody:')
const OWN = beginningWith('pool:', 'reserve:')

/**
 * What is held, owed and the pool's own. All accounts of an asset sum to zero, and the database lets no transaction pass that does
 * not: so what is owed is what is held less what is the pool's own, and need not be added up over all members.
 */
export function holdingsOf(balance: (kind: SystemKind, asset: Asset) => bigint): Holding[] {
  return assets.map((symbol) => {
    const sumOf = (of: readonly SystemKind[]) => of.reduce((sum, kind) => sum + balance(kind, symbol), 0n)
    // Custody is minus what the chain holds.
    const held = -sumOf(CUSTODY)
    const own = sumOf(OWN)
    return { symbol, held, cold: -balance('custody:cold', symbol), owed: held - own, own }
  })
}
