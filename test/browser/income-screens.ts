import type { DataOf } from '@lode/wire'
import { patchAnswer } from './api-answers.ts'
import type { ScreenFixtures } from './screens.ts'

type Income = DataOf<'account/income'>
type Sum = Income['symbols'][number]

/** One BTC is worth 65,000 USDT and one BTN 0.01 USDT. */
const prices: Income['prices'] = [
  { symbol: 'BTN', price: '0.01', at: '2026-11-17T05:00:00.000Z' },
  { symbol: 'BTC', price: '65000', at: '2026-11-17T05:00:00.000Z' },
]
const btc = (units: number): Sum => ({
  symbol: 'BTC',
  amount: (units / 1e8).toFixed(8).replace(/\.?0+$/, ''),
  values: String((units * 65) / 1e5),
})
const usdt = (amount: number): Sum => ({ symbol: 'USDT', amount: String(amount), values: String(amount) })
const btn = (amount: number): Sum => ({ symbol: 'BTN', amount: String(amount), values: String(amount / 100) })

const add = (sums: readonly Sum[]): string =>
  String(Math.round(sums.reduce((sum, one) => sum + Number(one.values), 0) * 1e6) / 1e6)

/** Income of the given period: a dividend on most days, a reward now and then, one airdrop. */
export function withIncome(data: Income): Income {
  const received = data.bars.map((_, place) => ({
    BTC: place % 9 === 4 || place % 7 === 2 ? 0 : 5_200 + ((place * 7_919) % 2_600),
    USDT: place % 6 === 1 ? 2 : place % 11 === 5 ? 10 : 0,
    BTN: place === 3 ? 1_000 : 0,
  }))
  const sum = (symbol: 'BTC' | 'USDT' | 'BTN') => received.reduce((all, one) => all + one[symbol], 0)
  const symbols = [usdt(sum('USDT')), btn(sum('BTN')), btc(sum('BTC'))]
  const sources: Income['sources'] = [
    { type: 'promotionReward', ...usdt(sum('USDT') / 2) },
    { type: 'upLevelReward', ...usdt(sum('USDT') / 2) },
    { type: 'pointReward', ...btc(sum('BTC')) },
    { type: 'airdropForActive', ...btn(sum('BTN')) },
  ]
  return {
    ...data,
    total: { values: add(symbols), without: [] },
    symbols,
    sources: sources.filter(({ amount }) => amount !== '0'),
    prices: prices.map((price) => ({ ...price, at: new Date(Date.parse(data.at) - 540_000).toISOString() })),
    bars: data.bars.map(({ day }, place) => {
      const { BTC = 0, USDT = 0, BTN = 0 } = received[place] ?? {}
      const own = [...(USDT ? [usdt(USDT)] : []), ...(BTN ? [btn(BTN)] : []), ...(BTC ? [btc(BTC)] : [])]
      return { day, total: { values: add(own), without: [] }, symbols: own }
    }),
    missed: {
      count: 4,
      amount: '31',
      reasons: [
        { reason: 'level-below', count: 3, amount: '21' },
        { reason: 'count-reached', count: 1, amount: '10' },
      ],
    },
  }
}

async function openIncome({ page, register, enter }: ScreenFixtures, change = withIncome, period = 'month') {
  await enter(await register())
  await patchAnswer(page, 'account/income', change)
  await page.goto(`/wallet/income?period=${period}`)
  await page.getByText('paid into your balance').first().waitFor()
}

/** What a member earned, in each state. */
export const incomeScreens: Readonly<Record<string, (tools: ScreenFixtures) => Promise<void>>> = {
  income: (tools) => openIncome(tools),
  'income-quarter': async (tools) => {
    await openIncome(tools, withIncome, 'quarter')
    await tools.page.getByRole('slider').press('ArrowLeft')
  },
  'income-table': async (tools) => {
    await openIncome(tools, withIncome, 'year')
    await tools.page.getByText('As a table').click()
  },
  'income-without-price': (tools) =>
    openIncome(tools, (data) => {
      const income = withIncome(data)
      const unpriced = <One extends Sum>(one: One): One => (one.symbol === 'BTN' ? { ...one, values: null } : one)
      return {
        ...income,
        total: { ...income.total, without: ['BTN'] },
        symbols: income.symbols.map(unpriced),
        sources: income.sources.map(unpriced),
        bars: income.bars.map((bar) => ({ ...bar, symbols: bar.symbols.map(unpriced) })),
      }
    }),
  'income-empty': (tools) => openIncome(tools, (data) => data),
  'income-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/account\/income/, () => new Promise(() => {}))
    await page.goto('/wallet/income')
    await page.getByText('paid into your balance').first().waitFor()
  },
  'income-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/account\/income/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/wallet/income')
    await page.getByRole('heading', { name: 'Your income could not be loaded' }).waitFor()
  },
}
