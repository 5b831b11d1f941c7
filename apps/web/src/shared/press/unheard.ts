/** How often what the pool shows is looked at, for what came of a press whose answer was lost. */
export const LOOK_EVERY_MS = 3_000

/** A request that has not come to the pool so long after it was last sent will not come any more: whoever sent it gave up after a minute. */
const NO_LONGER_MS = 120_000

/** The pool was looked at when the press could not come any more, and it was not there. */
export const willNotCome = (pressedAt: number, lookedAt: number, now: number): boolean =>
  lookedAt - pressedAt > NO_LONGER_MS && now - pressedAt > NO_LONGER_MS
