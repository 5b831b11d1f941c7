/** One measured value and its limit. */
export type Target = { readonly name: string; readonly value: number; readonly bound: string; readonly isMet: boolean }

export const atLeast = (what: string, value: number, bound: number): Target => ({
  name: what,
  value: Math.round(value * 100) / 100,
  bound: `>= ${bound}`,
  isMet: value >= bound,
})

export const atMost = (what: string, value: number, bound: number): Target => ({
  name: what,
  value: Math.round(value * 100) / 100,
  bound: `<= ${bound}`,
  isMet: value <= bound,
})

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
