/**
 * Shares an amount out by weight, with the same work for any number of weights. Every round raises the total that one
 * unit of weight has earned so far. A weight has earned the difference of two such totals times the weight. The totals
 * are scaled. The remainder of a division is shared out in the next round. The proof that nobody is ever overpaid is
 * in the server's modules/pledge/rules.ts.
 */

/** P: totals per unit of weight are multiplied by this. */
export const SHARE_SCALE = 10n ** 36n

/** The state after the last round. */
export type ShareState = {
  /** S: the sum of the weights that took part. */
  readonly weight: bigint
  /** A: what one unit of weight has earned so far, times P. */
  readonly perWeight: bigint
  /** R: the remainder of the divisions, times P. */
  readonly remainder: bigint
}

/** The weights that start and end between two rounds. */
export type ShareChanges = {
  /** The weights that begin to take part, and those that end. */
  readonly started: bigint
  readonly ended: bigint
  /** Z: the sum of the fractions of a unit that the ended weights did not get, times P. */
  readonly freed: bigint
}

export const NO_SHARES: ShareState = { weight: 0n, perWeight: 0n, remainder: 0n }

/** If no weight takes part, `amount` is not shared out and stays with the caller. */
export function shareOut(
  before: ShareState,
  { started, ended, freed }: ShareChanges,
  amount: bigint,
): ShareState & { readonly quotient: bigint } {
  const weight = before.weight + started - ended
  if (weight < 0n || amount < 0n || freed < 0n)
    throw new RangeError('more weight ends than takes part, or an amount is negative')
  const pot = before.remainder + freed
  if (weight === 0n) return { weight, perWeight: before.perWeight, remainder: pot, quotient: 0n }
  const toShare = amount * SHARE_SCALE + pot
  const quotient = toShare / weight
  return { weight, perWeight: before.perWeight + quotient, remainder: toShare - quotient * weight, quotient }
}

/** A weight: `from` is A before its first round, `to` is A after its last round so far. */
export type ShareSpan = { readonly weight: bigint; readonly from: bigint; readonly to: bigint }

/** What a weight has earned, in whole smallest units. */
export const entitled = ({ weight, from, to }: ShareSpan): bigint => (weight * (to - from)) / SHARE_SCALE

/** The fraction beyond whole units, times P. */
export const fraction = ({ weight, from, to }: ShareSpan): bigint => (weight * (to - from)) % SHARE_SCALE
