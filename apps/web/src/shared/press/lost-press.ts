/** How often the pool's list is read to find the outcome of a press whose answer was lost. */
export const LOOKUP_INTERVAL_MS = 3_000

/**
 * The client aborts a request after one minute. So a request that has not arrived two minutes after it was last sent
 * will never arrive.
 */
const ARRIVAL_LIMIT_MS = 120_000

/**
 * True if the pool's list was read more than `ARRIVAL_LIMIT_MS` after the press was last sent. If the press is not in
 * that list, the pool never received it and never will. `now` must be past the limit too, in case the clock was set
 * back after the list was read.
 */
export const canNoLongerArrive = (lastSentAt: number, listReadAt: number, now: number): boolean =>
  listReadAt - lastSentAt > ARRIVAL_LIMIT_MS && now - lastSentAt > ARRIVAL_LIMIT_MS
