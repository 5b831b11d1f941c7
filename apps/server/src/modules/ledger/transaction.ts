import { type Asset, type Units, units } from '@lode/kernel'
import type { Address } from 'viem'
import type {
  CreditKind,
  DebitKind,
  KeySpaceOf,
  KindName,
  KindsOf,
  kinds,
  LoggedKind,
  LogTypeOf,
  logTypeCodes,
  TypeName,
} from './chart.ts'

/** The log line that a move belongs to. The fee is included in the amount that leaves the available balance. */
type MoveLine<T extends TypeName, A extends Asset> = {
  readonly type: LogTypeOf<T>
  /** The order, transfer or chain log that the line is about. One line per member, asset, type and operation. */
  readonly operation: string
  readonly fee?: Units<A>
}

/** The account kinds that exist in this asset. For a union of assets: the kinds that exist in each of them. */
type KindIn<A extends Asset> = {
  [K in KindName]: [A] extends [(typeof kinds)[K]['assets'][number]] ? K : never
}[KindName]

/** A system account is named by its kind alone. */
type Account<K extends KindName, T extends TypeName, A extends Asset> =
  K extends KindsOf<'system'>
    ? K
    : K extends KindsOf<'suspense'>
      ? { readonly kind: K; readonly address: Address }
      : K extends LoggedKind
        ? { readonly kind: K; readonly member: bigint; readonly line: MoveLine<T, A> }
        : { readonly kind: K; readonly member: bigint }

type MoveSides<T extends TypeName, A extends Asset> = {
  readonly from: Account<DebitKind<T> & KindIn<A>, T, A>
  readonly to: Account<CreditKind<T> & KindIn<A>, T, A>
}

/** One amount of one asset, from one account to another. Therefore any list of moves sums to zero. */
type Move<T extends TypeName, A extends Asset> = { readonly asset: A; readonly amount: Units<A> } & MoveSides<T, A>

declare const madeTogether: unique symbol
type AmountOf<A extends Asset> = { readonly asset: A; readonly amount: Units<A>; readonly [madeTogether]: true }

/**
 * An amount with its asset, for a move whose asset is known only at run time. There the compiler cannot check that the
 * two match, so this function makes both together. (`madeTogether` exists for the compiler only.)
 */
export const amountOf = <A extends Asset>(asset: A, value: bigint): AmountOf<A> =>
  ({ asset, amount: units(asset, value) }) as AmountOf<A>

/**
 * A move in one asset, or in an asset that is known only at run time: any of the three, or one of the two in which
 * orders are paid. In the last two cases the compiler accepts only account kinds that exist in each of these assets.
 */
type AnyMove<T extends TypeName> =
  | { [A in Asset]: Move<T, A> }[Asset]
  | (AmountOf<'USDT' | 'BTN'> & MoveSides<T, 'USDT' | 'BTN'>)
  | (AmountOf<Asset> & MoveSides<T, Asset>)

type TransactionKey<T extends TypeName> =
  KeySpaceOf<T> extends 'member'
    ? { readonly member: bigint; readonly key: string }
    : { readonly key: `${KeySpaceOf<T>}:${string}` }

type TransactionOf<T extends TypeName> = TransactionKey<T> & {
  readonly type: T
  readonly moves: readonly AnyMove<T>[]
  /**
   * The text from which the input hash is made, if the moves may differ between repetitions. Example: a chain log is
   * the same log even if its sender registers in between. Without `terms`, the hash covers type and moves. Never put a
   * secret here.
   */
  readonly terms?: string
}

/** The transactions that `chart.ts` allows, by type. Nothing else compiles, and CI refuses casts to this type. */
export type Transaction = { [T in TypeName]: TransactionOf<T> }[TypeName]

export type AnyAccount = Transaction['moves'][number]['from' | 'to']
export type AnyLine = { readonly type: keyof typeof logTypeCodes; readonly operation: string; readonly fee?: bigint }

export type Outcome =
  | { readonly outcome: 'posted' | 'repeated'; readonly transaction: bigint }
  /** The key was used before with other input. `transaction` is the one that used it. */
  | { readonly outcome: 'conflict'; readonly transaction: bigint }
  | { readonly outcome: 'insufficient' }
  /** This transaction was valid, but another one of the same all-or-none batch was not. */
  | { readonly outcome: 'undone' }
