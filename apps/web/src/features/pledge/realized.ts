/** P in docs/production.md: the scale of what one unit of weight received. */
const SCALE = 10n ** 36n
/** The weight of 10,000 effective BTN: a weight is in ten-thousandths of a BTN. */
const TEN_THOUSAND_BTN = 10_000n * 10_000n

/** The BTC that 10,000 effective BTN received on a day, in smallest units. `perWeight` is q of the public table. */
export const receivedPerTenThousand = (perWeight: bigint): bigint => (TEN_THOUSAND_BTN * perWeight) / SCALE
