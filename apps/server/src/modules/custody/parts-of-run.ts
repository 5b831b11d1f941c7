import type { Movement } from './interpret-logs.ts'

/** Some movements of a run, which are posted in one database transaction. */
export type PartOfRun = {
  readonly includes: (movement: Movement) => boolean
  readonly highestBlock: bigint
}

type DividedRun = { readonly earlierParts: readonly PartOfRun[]; readonly lastPart: Pick<PartOfRun, 'includes'> }

/** Settling a payment takes a few milliseconds, and the places of its receivers stay locked until the commit. */
const MAX_PAYMENTS = 50

/**
 * Divides a run that has many payments. The earlier parts have the payments, and the fundings of the reserves that pay
 * their airdrops, in chain order. The other movements depend on each other, for example a burn on the fees of payouts,
 * but not on payments. So they stay together, in the last part.
 */
export function divideMovements(movements: readonly Movement[]): DividedRun {
  const early = movements.filter(({ kind }) => kind === 'payment' || kind === 'reserveFunding')
  const payments = early.filter(({ kind }) => kind === 'payment')
  if (payments.length <= MAX_PAYMENTS) return { earlierParts: [], lastPart: { includes: () => true } }
  const firsts = payments.filter((_, index) => index > 0 && index % MAX_PAYMENTS === 0)
  const cuts = [0, ...firsts.map((movement) => early.indexOf(movement)), early.length]
  const parts = cuts.slice(1).map((end, index) => early.slice(cuts[index], end))
  const posted = new Set(early)
  return {
    earlierParts: parts.map((part) => ({ includes: isIn(part), highestBlock: part.at(-1)?.log.blockNumber ?? 0n })),
    lastPart: { includes: (movement) => !posted.has(movement) },
  }
}

function isIn(part: readonly Movement[]): (movement: Movement) => boolean {
  const members = new Set(part)
  return (movement) => members.has(movement)
}
