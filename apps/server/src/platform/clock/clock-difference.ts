/** What is known of the chain's time. Times of this process are from a clock that never jumps (`performance.now`). */
export type ChainTime = {
  /** The time of the newest block that nodes of two origins have reached. */
  readonly block: Date
  /** When this process first saw that time. */
  readonly seenAt: number
  /** Whether this process has seen an earlier block before. Until then, the chain may stand still. */
  readonly hasMoved: boolean
}

/** Returns what is known after nodes of two origins have reached a block of this time. */
export function observeBlock(known: ChainTime | null, block: Date, now: number): ChainTime {
  if (known === null) return { block, seenAt: now, hasMoved: false }
  return known.block.getTime() === block.getTime() ? known : { block, seenAt: now, hasMoved: true }
}

/**
 * How far the database's clock is ahead of the chain, in milliseconds; negative if it is behind. The time since the
 * newest block is added, as this process measured it. So a chain that stops later does not make the database look wrong.
 */
export const measureDifference = (chain: ChainTime, database: Date, now: number): number =>
  database.getTime() - (chain.block.getTime() + (now - chain.seenAt))

/** Says which of the two is probably wrong, with both times. */
export function describeDifference(chain: ChainTime, database: Date, differenceMs: number): string {
  const times = `the database says ${database.toISOString()}, the newest block is of ${chain.block.toISOString()}`
  const minutes = Math.round(Math.abs(differenceMs) / 60_000)
  if (differenceMs < 0) return `the database's clock is ${minutes} minutes behind the chain: ${times}`
  if (chain.hasMoved) return `the database's clock is ${minutes} minutes ahead of the chain: ${times}`
  return `the chain stands still, or the database's clock is ${minutes} minutes ahead: ${times}, and no newer block has come`
}

/**
 * Returns the latest time that enough origins have reached, from the newest block of each node that answered. One node
 * that lies or lags does not change it, if two others answer. Returns null if fewer than `needed` origins answered.
 */
export function timeReachedBy(
  needed: number,
  blocks: readonly { readonly origin: string; readonly time: Date }[],
): Date | null {
  const newest = new Map<string, number>()
  for (const { origin, time } of blocks) newest.set(origin, Math.max(newest.get(origin) ?? 0, time.getTime()))
  const reached = Array.from(newest.values()).toSorted((one, other) => other - one)[needed - 1]
  return reached === undefined ? null : new Date(reached)
}
