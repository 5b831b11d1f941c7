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

/** The line of a member's log that a movement belongs to. The fee is part of what leaves the available balance. */
type Line<T extends TypeName, A extends Asset> = {
  readonly type: LogTypeOf<T>
  /** What it is about: an order, a transfer, a log of the chain. One line per member, asset, type and operation. */
  readonly operation: string
  readonly fee?: Units<A>
}

/** The kinds of account that exist in this asset; of several assets, those that exist in each of them. */
type KindIn<A extends Asset> = {
  [K in KindName]: [A] extends [(typeof kinds)[K]['assets'][number]] ? K : never
}[KindName]

/** The system's accounts are named by their kind alone. */
type Account<K extends KindName, T extends TypeName, A extends Asset> =
  K extends KindsOf<'system'>
    ? K
    : K extends KindsOf<'suspense'>
      ? { readonly kind: K; readonly address: Address }
      : K extends LoggedKind
        ? { readonly kind: K; readonly member: bigint; readonly line: Line<T, A> }
        : { readonly kind: K; readonly member: bigint }

type Sides<T extends TypeName, A extends Asset> = {
  readonly from: Account<DebitKind<T> & KindIn<A>, T, A>
  readonly to: Account<CreditKind<T> & KindIn<A>, T, A>
}

/** So much of one asset, from one account to another: whatever is written so sums to zero. */
type Move<T extends TypeName, A extends Asset> = { readonly asset: A; readonly amount: Units<A> } & Sides<T, A>

declare const madeTogether: unique symbol
type AmountOf<A extends Asset> = { readonly asset: A; readonly amount: Units<A>; readonly [madeTogether]: true }

/**
 * An amount with its asset, for a move whose asset is known only at run time. The compiler cannot see there that the two
 * fit, so they are made together here. (The mark exists for the compiler only.)
 */
export const amountOf = <A extends Asset>(asset: A, value: bigint): AmountOf<A> =>
  ({ asset, amount: units(asset, value) }) as AmountOf<A>

/**
 * In one asset; or in one that is known only at run time: of all three, or of the two that orders are paid in. There the
 * compiler takes only the kinds of account that exist in each of them.
 */
type AnyMove<T extends TypeName> =
  | { [A in Asset]: Move<T, A> }[Asset]
  | (AmountOf<'USDT' | 'BTN'> & Sides<T, 'USDT' | 'BTN'>)
  | (AmountOf<Asset> & Sides<T, Asset>)

type Key<T extends TypeName> =
  KeySpaceOf<T> extends 'member'
    ? { readonly member: bigint; readonly key: string }
    : { readonly key: `${KeySpaceOf<T>}:${string}` }

type TransactionOf<T extends TypeName> = Key<T> & {
  readonly type: T
  readonly moves: readonly AnyMove<T>[]
  /**
   * What the key stands for, where the movements follow from more than that: a log of the chain is the same log whether its
   * sender has registered meanwhile or not. Without it, the movements themselves. Never a secret.
   */
  readonly terms?: string
}

/** What `chart.ts` allows, type by type; nothing else compiles. A check in CI refuses casts to it. */
export type Transaction = { [T in TypeName]: TransactionOf<T> }[TypeName]

export type AnyAccount = Transaction['moves'][number]['from' | 'to']
export type AnyLine = { readonly type: keyof typeof logTypeCodes; readonly operation: string; readonly fee?: bigint }

export type Outcome =
  | { readonly outcome: 'posted' | 'repeated'; readonly transaction: bigint }
  /** The key is spent on something else, by that transaction. */
  | { readonly outcome: 'conflict'; readonly transaction: bigint }
  | { readonly outcome: 'insufficient' }
  /** Nothing is wrong with it, but with another that was to be posted together with it. */
  | { readonly outcome: 'undone' }
