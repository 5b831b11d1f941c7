import { larger, minNotNegative } from '@lode/kernel'
import type { GasPrice } from './node.ts'

export type Fees = { readonly maxFee: bigint; readonly maxPriorityFee: bigint }

/**
 * A tip is always paid in full. So in the first version of a transaction, the tip that a node suggests is limited to
 * this amount, or to the base fee if that is higher. In later versions only the fee limit limits it.
 */
const USUAL_TIP = 2_000_000_000n

/**
 * Enough even if the base fee doubles, which takes six blocks, as far as `feeLimit` allows. Null if the base fee is not
 * below `feeLimit`.
 */
export function firstFees({ baseFee, priorityFee }: GasPrice, feeLimit: bigint): Fees | null {
  if (baseFee >= feeLimit) return null
  const tip = minNotNegative(priorityFee, larger(USUAL_TIP, baseFee))
  const maxFee = minNotNegative(2n * baseFee + tip, feeLimit)
  return maxFee === 0n ? { maxFee: 1n, maxPriorityFee: 0n } : { maxFee, maxPriorityFee: minNotNegative(tip, maxFee) }
}

/** A node replaces a version only if both fees are at least a tenth higher; some nodes require an eighth. */
const raised = (fee: bigint): bigint => fee + fee / 8n + 1n

/** Returns null if the next higher fee is above `feeLimit`. */
export function higherFees(before: Fees, { baseFee, priorityFee }: GasPrice, feeLimit: bigint): Fees | null {
  const [leastMax, leastPriority] = [raised(before.maxFee), raised(before.maxPriorityFee)]
  if (leastMax > feeLimit || leastPriority > feeLimit) return null
  const priority = larger(priorityFee, leastPriority)
  const maxFee = minNotNegative(larger(2n * baseFee + priority, leastMax), feeLimit)
  return { maxFee, maxPriorityFee: minNotNegative(priority, maxFee) }
}

/**
 * The next fees for a transaction that takes the place of another one, whose fees are not known. The maximum is
 * `feeLimit` from the first version on: a block takes only its base fee and the tip. So only the tip is raised. It is
 * doubled, because a guardian waits and nodes limit how often they answer. Null if the tip was `feeLimit`.
 */
export function replacingFees({ maxPriorityFee }: Pick<Fees, 'maxPriorityFee'>, feeLimit: bigint): Fees | null {
  if (maxPriorityFee >= feeLimit) return null
  return { maxFee: feeLimit, maxPriorityFee: minNotNegative(larger(2n * maxPriorityFee, LEAST_RAISED_TIP), feeLimit) }
}

const LEAST_RAISED_TIP = 1_000_000_000n
