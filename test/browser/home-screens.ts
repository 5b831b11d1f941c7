import type { DataOf } from '@lode/wire'
import type { Page } from '@playwright/test'
import { patchAnswer } from './api-answers.ts'
import { mockNextDay, scheduled } from './next-day.ts'
import { dayOf } from './pledge.ts'
import { fullHistory, postHistory } from './post-history.ts'
import { makeProductionTable } from './production-table.ts'
import type { ScreenFixtures } from './screens.ts'

type Figures = DataOf<'pool/figures'>

const minutesFromNow = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()
const FUNDED = [310_000n, 348_000n, 341_000n, 0n, 380_000n, 401_000n, 332_000n, 365_000n, 398_000n, 0n, 350_000n]

/** The figures of a pool that has run for a while. */
const withGrownFigures = (data: Figures): Figures => ({
  ...data,
  liquidity: [
    { symbol: 'USDT', amount: '98815.384615' },
    { symbol: 'BTN', amount: '250000000' },
  ],
  burned: '184250.5',
  production: {
    ...data.production,
    effective: '1588983.0508',
  },
  books: {
    block: 21_480_113,
    blockAt: minutesFromNow(-14),
    checked: true,
    holdings: [
      { symbol: 'USDT', held: '1802642.81', cold: '1200000', owed: '412077.25', own: '1390565.56', missing: '0' },
      { symbol: 'BTN', held: '912406118.75', cold: '0', owed: '31244618.75', own: '881161500', missing: '0' },
      { symbol: 'BTC', held: '0.18420031', cold: '0', owed: '0.18420031', own: '0', missing: '0' },
    ],
  },
  totals: data.totals && {
    ...data.totals,
    members: 4_812,
    units: 9_210,
    power: 18_420,
    investment: '1284600',
    pledges: 640,
  },
})

/** Answers as if the pool had closed fourteen days, two of them without production. */
export async function mockGrownPool(page: Page, change: (data: Figures) => Figures = (data) => data): Promise<void> {
  const today = dayOf(new Date())
  const { days } = makeProductionTable(today - 14, [...FUNDED, 402_000n, 421_000n, 441_872n])
  await patchAnswer(page, 'pool/days', () => ({ items: days, next: null }))
  await patchAnswer(page, 'pool/figures', (data) => change(withGrownFigures(data)))
  await patchAnswer(page, 'account/home', withOwnFigures)
  await mockNextDay(page, scheduled)
}

type Home = DataOf<'account/home'>

/** The figures of a member who has pledged for a while, of which nothing waits to be collected. */
const withOwnFigures = (data: Home): Home => ({
  ...data,
  steps: null,
  earned: {
    ...data.earned,
    items: [
      { symbol: 'USDT', today: '2', yesterday: '0', month: '28', all: '180.5' },
      { symbol: 'BTN', today: '0', yesterday: '0', month: '0', all: '1000' },
      { symbol: 'BTC', today: '0.00041872', yesterday: '0.0004', month: '0.0031', all: '0.00418721' },
    ],
    total: {
      today: { values: '29.21', without: [] },
      yesterday: { values: '26', without: [] },
      month: { values: '229.5', without: [] },
      all: { values: '462.71', without: [] },
    },
  },
  last: {
    day: dayOf(new Date()) - 1,
    closedAt: minutesFromNow(-600),
    shared: '0.00441872',
    totalEffective: '1588983.0508',
    effective: '187500',
    pledges: 2,
    amount: '0.0005214',
  },
})

const waitingParts: Home['collect'] = [
  { part: 'dividends', symbol: 'BTC', amount: '0.00041872' },
  { part: 'thanksgiving', symbol: 'USDT', amount: '5' },
  { part: 'partner', symbol: 'USDT', amount: '1.25' },
]

const mockWaitingParts = (page: Page) =>
  patchAnswer(page, 'account/home', (data) => ({ ...withOwnFigures(data), collect: waitingParts }))

/** Answers the press as if it had collected the parts, all but the one that failed. */
export const mockCollected = (page: Page, failed?: Home['collect'][number]['part']) =>
  page.route(/\/api\/account\/collect/, (route) =>
    route.fulfill({
      json: {
        code: 200,
        message: '',
        data: {
          parts: waitingParts.map((one) => ({
            ...one,
            amount: one.part === failed ? '0' : one.amount,
            failed: one.part === failed,
          })),
        },
      },
    }),
  )

/** Answers as if nothing had happened in the pool but two announcements, and no plan were published. */
export async function mockNewPool(page: Page): Promise<void> {
  await patchAnswer(page, 'pool/days', () => ({ items: [], next: null }))
  await patchAnswer(page, 'pool/figures', (data) => ({
    ...data,
    plan: null,
    books: null,
    announcements: 2,
  }))
  await patchAnswer(page, 'account/home', (data) => ({
    ...data,
    last: null,
    steps: data.steps && { ...data.steps, price: null, pledgeAbove: null },
  }))
  await mockNextDay(page, () => null)
}

async function openHome({ page, stack, register, enter }: ScreenFixtures): Promise<void> {
  const member = await register()
  await postHistory(stack, member, fullHistory)
  await enter(member)
  await page.goto('/home')
  await page.getByRole('heading', { name: 'The pool', exact: true }).waitFor()
}

const showPool = (page: Page): Promise<void> =>
  page.getByRole('heading', { name: 'The pool', exact: true }).evaluate((heading) => heading.scrollIntoView())

/** The home page in each of its states. */
export const homeScreens: Readonly<Record<string, (tools: ScreenFixtures) => Promise<void>>> = {
  home: async (tools) => {
    await mockGrownPool(tools.page)
    await openHome(tools)
    await tools.page.getByText('Production of').waitFor()
    await tools.page.getByText('matched the books exactly').waitFor()
  },
  'home-hidden-amounts': async (tools) => {
    await mockGrownPool(tools.page)
    await mockWaitingParts(tools.page)
    await openHome(tools)
    await tools.page.getByRole('button', { name: 'Hide amounts' }).click()
    await tools.page.getByRole('button', { name: 'Show amounts' }).waitFor()
  },
  'home-first-steps': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/home')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
  },
  'home-collect': async (tools) => {
    await mockGrownPool(tools.page)
    await mockWaitingParts(tools.page)
    await openHome(tools)
    await tools.page.getByRole('button', { name: 'Collect all' }).waitFor()
  },
  'home-collecting': async (tools) => {
    await mockGrownPool(tools.page)
    await mockWaitingParts(tools.page)
    await tools.page.route(/\/api\/account\/collect/, () => new Promise(() => {}))
    await openHome(tools)
    await tools.page.getByRole('button', { name: 'Collect all' }).click()
  },
  'home-collected': async (tools) => {
    const { page } = tools
    await mockGrownPool(page)
    await mockWaitingParts(page)
    await mockCollected(page)
    await openHome(tools)
    await patchAnswer(page, 'account/home', withOwnFigures)
    await page.getByRole('button', { name: 'Collect all' }).click()
    await page.getByText('Collected:').waitFor()
  },
  'home-collect-part-failed': async (tools) => {
    const { page } = tools
    await mockGrownPool(page)
    await mockWaitingParts(page)
    await mockCollected(page, 'dividends')
    await openHome(tools)
    await patchAnswer(page, 'account/home', (data) => ({
      ...withOwnFigures(data),
      collect: waitingParts.filter(({ part }) => part === 'dividends'),
    }))
    await page.getByRole('button', { name: 'Collect all' }).click()
    await page.getByText('Could not be collected this time').waitFor()
  },
  'home-pool': async (tools) => {
    await mockGrownPool(tools.page)
    await openHome(tools)
    await tools.page.getByText('matched the books exactly').waitFor()
    await showPool(tools.page)
  },
  'home-new-pool': async (tools) => {
    await mockNewPool(tools.page)
    await openHome(tools)
    await tools.page.getByText('The chain has not been read yet').waitFor()
  },
  'home-behind': async (tools) => {
    await mockGrownPool(tools.page, (data) => ({
      ...data,
      books: data.books && { ...data.books, blockAt: minutesFromNow(-400), checked: false },
    }))
    await openHome(tools)
    await tools.page.getByText('The books have been behind the chain').waitFor()
    await showPool(tools.page)
  },
  'home-parts-loading': async (tools) => {
    await tools.page.route(/\/api\/(pool\/(figures|days)|account\/home)/, () => new Promise(() => {}))
    await openHome(tools)
  },
  'home-parts-failed': async (tools) => {
    const { page } = tools
    await page.route(/\/api\/(pool\/(figures|days)|account\/home)/, (route) => route.fulfill({ status: 500, json: {} }))
    await openHome(tools)
    await page.getByText('The pool’s figures could not be loaded').waitFor()
  },
}
