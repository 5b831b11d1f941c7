/** Different in every open app. */
const OFFSET = Math.random()
const GOLDEN_RATIO = 0.618_033_988_75

/**
 * Between three quarters and five quarters of an interval, so that apps that were opened together do not ask together.
 * The result is another one after each answer and stays the same until the next: React Query starts to wait anew
 * whenever the interval changes.
 *
 * @param answeredAt when the last answer arrived
 */
export const spread = (intervalMs: number, answeredAt: number, offset = OFFSET): number =>
  intervalMs * (0.75 + 0.5 * fractionOf(answeredAt, offset))

/** The same, between nothing and the whole interval. */
export const spreadOver = (intervalMs: number, answeredAt: number, offset = OFFSET): number =>
  intervalMs * fractionOf(answeredAt, offset)

const fractionOf = (answeredAt: number, offset: number): number => (answeredAt * GOLDEN_RATIO + offset) % 1
