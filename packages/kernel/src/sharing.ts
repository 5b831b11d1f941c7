/**
 * Shares an amount out by weight, without touching each weight. Every round raises the total that one unit of weight
 * has earned so far. What a weight has earned is the difference of two such totals times the weight. The totals are
 * scaled, and the remainder of a division is shared out with the next round. The proof that nobody is ever overpaid is
 * in the server's modules/pledge/rules.ts.
 */

/** P: totals per unit of weight are multiplied by this. */
export const SHARE_SCALE = 10n ** 36n

/** The state after the last round. */
export type Shares = {
  /** S: the sum of the weights that took part. */
  readonly weight: bigint
  /** A: what one unit of weight has earned so far, times P. */
  readonly perWeight: bigint
  /** R: the remainder of the divisions, times P. */
  readonly remainder: bigint
}

/** What changes before a round. */
export type ShareChanges = {
  /** The weights that begin to take part, and those that end. */
  readonly started: bigint
  readonly ended: bigint
  /** Z: the fractions of a unit that ended weights leave, times P. */
  readonly freed: bigint
}

export const NOTHING_SHARED: Shares = { weight: 0n, perWeight: 0n, remainder: 0n }

/** If no weight takes part, `amount` is not shared out and stays with the caller. */
export function shareOut(
  before: Shares,
  { started, ended, freed }: ShareChanges,
  amount: bigint,
): Shares & { readonly quotient: bigint } {
  const weight = before.weight + started - ended
  if (weight < 0n || amount < 0n || freed < 0n) throw new RangeError('more ends than ever began, or less than nothing')
  const pot = before.remainder + freed
  if (weight === 0n) return { weight, perWeight: before.perWeight, remainder: pot, quotient: 0n }
  const toShare = amount * SHARE_SCALE + pot
  const quotient = toShare / weight
  return { weight, perWeight: before.perWeight + quotient, remainder: toShare - quotient * weight, quotient }
}

/** A weight, with A before its first round and A after the last round that counts for it. */
export type ShareSpan = { readonly weight: bigint; readonly from: bigint; readonly to: bigint }

/** What a weight has earned, in whole smallest units. */
export const entitled = ({ weight, from, to }: ShareSpan): bigint => (weight * (to - from)) / SHARE_SCALE

/** The fraction beyond whole units, times P. */
export const fraction = ({ weight, from, to }: ShareSpan): bigint => (weight * (to - from)) % SHARE_SCALE
