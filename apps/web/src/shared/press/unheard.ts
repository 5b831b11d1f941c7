/** How often the pool's list is read to find the outcome of a press whose answer was lost. */
export const LOOK_EVERY_MS = 3_000

/**
 * A request that the pool has not received this long after the last send will not arrive: the client gives up after a
 * minute.
 */
const NO_LONGER_MS = 120_000

/**
 * True if the pool's list was read after the press could no longer arrive. A press that is not in that list will not
 * come.
 */
export const willNotCome = (pressedAt: number, lookedAt: number, now: number): boolean =>
  lookedAt - pressedAt > NO_LONGER_MS && now - pressedAt > NO_LONGER_MS
