/** The weight of a term: 12,500 basis points are `×1.25`. At least two decimals, so that weights align. */
export function formatWeight(basisPoints: number): string {
  const times = basisPoints / 10_000
  return `×${basisPoints % 100 === 0 ? times.toFixed(2) : times}`
}
