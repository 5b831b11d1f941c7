import { describe, expect, it } from 'vitest'
import { onlySymbol, stackBars } from './stack-bars.ts'
import type { IncomeBar } from './use-income.ts'

const bar = (symbols: IncomeBar['symbols']): IncomeBar => ({ day: 0, total: { values: '0', without: [] }, symbols })

describe('the bars of a chart', () => {
  it('are as high as their value, the highest as high as the chart', () => {
    const bars = [
      bar([{ symbol: 'USDT', amount: '5', values: '5' }]),
      bar([
        { symbol: 'USDT', amount: '2.5', values: '2.5' },
        { symbol: 'BTC', amount: '0.1', values: '7.5' },
      ]),
    ]
    expect(stackBars(bars)).toEqual([
      [{ symbol: 'USDT', bottom: 0, height: 500 }],
      [
        { symbol: 'USDT', bottom: 0, height: 250 },
        { symbol: 'BTC', bottom: 250, height: 750 },
      ],
    ])
  })

  it('show a small value, and nothing for no value or no price', () => {
    const bars = [
      bar([{ symbol: 'USDT', amount: '1000000', values: '1000000' }]),
      bar([{ symbol: 'BTC', amount: '0.00000001', values: '0.000001' }]),
      bar([{ symbol: 'BTN', amount: '5', values: null }]),
      bar([]),
    ]
    expect(stackBars(bars).map((pieces) => pieces.map(({ height }) => height))).toEqual([[1000], [15], [], []])
  })

  it('of one symbol have its amounts as heights, with and without a price', () => {
    const bars = [
      bar([
        { symbol: 'USDT', amount: '2', values: '2' },
        { symbol: 'BTN', amount: '100000', values: '500' },
      ]),
      bar([{ symbol: 'USDT', amount: '4', values: '4' }]),
      bar([{ symbol: 'BTC', amount: '0.1', values: null }]),
    ]
    const heights = (shown: 'USDT' | 'BTN' | 'BTC') =>
      stackBars(onlySymbol(bars, shown)).map((pieces) => pieces.map(({ height }) => height))
    expect(heights('USDT')).toEqual([[500], [1000], []])
    expect(heights('BTN')).toEqual([[1000], [], []])
    expect(heights('BTC')).toEqual([[], [], [1000]])
    expect(onlySymbol(bars, 'BTN')[0]?.total).toEqual({ values: '500', without: [] })
    expect(onlySymbol(bars, 'BTC')[2]?.total).toEqual({ values: '0', without: ['BTC'] })
  })
})
