/** What a term weighs: 12,500 basis points are `×1.25`. Two decimals at the least, so that they stand under each other. */
export function formatWeight(basisPoints: number): string {
  const times = basisPoints / 10_000
  return `×${basisPoints % 100 === 0 ? times.toFixed(2) : times}`
}
