import type { Asset } from '@lode/kernel'
import type { IncomeBar } from './use-income.ts'

/** A piece of a bar, in thousandths of the chart's height, measured from the bottom. */
export type Piece = { readonly symbol: Asset; readonly bottom: number; readonly height: number }

const CHART_HEIGHT = 1_000n
/** A piece that would be invisible still gets this height. */
const MIN_HEIGHT = 15

/** The bars of one symbol alone. Its own amounts are the heights, so no price is needed. */
export const onlySymbol = (bars: readonly IncomeBar[], shown: Asset): IncomeBar[] =>
  bars.map((bar) => {
    const symbols = bar.symbols.filter(({ symbol }) => symbol === shown)
    const values = symbols[0]?.values ?? null
    return {
      ...bar,
      symbols: symbols.map((one) => ({ ...one, values: one.amount })),
      total: values === null ? { values: '0', without: symbols.map(({ symbol }) => symbol) } : { values, without: [] },
    }
  })

/** Each bar as pieces, one for each symbol with a value. The tallest bar has the chart's height. */
export function stackBars(bars: readonly IncomeBar[]): Piece[][] {
  const places = Math.max(0, ...bars.flatMap(({ symbols }) => symbols.map(({ values }) => decimalsOf(values))))
  const toUnits = (values: string | null) => (values === null ? 0n : unitsOf(values, places))
  const sums = bars.map(({ symbols }) => symbols.reduce((sum, { values }) => sum + toUnits(values), 0n))
  const most = sums.sort((one, other) => (one < other ? 1 : -1))[0] ?? 0n
  return bars.map(({ symbols }) => {
    let bottom = 0
    return symbols.flatMap(({ symbol, values }) => {
      const value = toUnits(values)
      if (value === 0n) return []
      const height = Math.max(MIN_HEIGHT, Number((value * CHART_HEIGHT) / most))
      const piece = { symbol, bottom, height }
      bottom += height
      return [piece]
    })
  })
}

const decimalsOf = (values: string | null): number => values?.split('.')[1]?.length ?? 0

function unitsOf(values: string, places: number): bigint {
  const [whole = '0', fraction = ''] = values.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}
