import type { DataOf } from '@lode/wire'
import { patchAnswer } from './api-answers.ts'
import { chooseFundPassword, type Member } from './member.ts'
import { mockNextDay, scheduled } from './next-day.ts'
import { placeUnpaidOrder } from './place-order.ts'
import { dayOf, pledgePage, previewPledge } from './pledge.ts'
import { postHistory } from './post-history.ts'
import { makeProductionTable } from './production-table.ts'
import type { ScreenFixtures } from './screens.ts'
import { FUND_PASSWORD } from './transfer.ts'

type Overview = DataOf<'pledge/overview'>
const minutesFromNow = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

/** The overview of a member who has pledged for a while. */
const withRunningPledges = (data: Overview): Overview => ({
  ...data,
  pledged: '150000',
  effective: '187500',
  totalEffective: '1588983.0508',
  starting: '12501.25',
  produced: '0.00041872',
  collected: '0.01234567',
  last: { day: data.today - 1, shared: '0.00354847', amount: '0.00041872', closedAt: minutesFromNow(-600) },
})

async function registerRichMember({ stack, register }: ScreenFixtures): Promise<Member> {
  const member = await register()
  await chooseFundPassword(stack, member, FUND_PASSWORD)
  await postHistory(stack, member, [{ received: '132400.75', asset: 'BTN' }])
  return member
}

async function openPledgePage(
  tools: ScreenFixtures,
  change: (data: Overview) => Overview,
  next: Parameters<typeof mockNextDay>[1] = scheduled,
): Promise<void> {
  const { page, enter } = tools
  await enter(await registerRichMember(tools))
  await patchAnswer(page, 'pledge/overview', change)
  await mockNextDay(page, next)
  await page.goto('/pledge')
  await pledgePage(page).main.getByText('Total effective pledge').waitFor()
}

const FUNDED = [0n, 290_000n, 312_000n, 301_000n, 0n, 330_000n, 341_000n, 315_000n, 338_000n, 352_000n, 0n, 321_000n]

/** Answers with a table of days, the member's lines and its pledges. */
async function mockProduction({ page }: ScreenFixtures, { bent = false, closed = false } = {}): Promise<void> {
  const today = dayOf(new Date())
  const { days, lines, records } = makeProductionTable(today - 14, [...FUNDED, 348_000n, 354_847n])
  if (bent) days.splice(1, 1, ...days.slice(1, 2).map((day) => ({ ...day, A: `${day.A}1`.slice(1) })))
  const [one] = records
  const more: typeof records = one
    ? [
        {
          ...one,
          id: 'b6f7a1c2-0000-4000-8000-000000000002',
          status: 'payment',
          startDay: null,
          endDay: null,
          day: 0,
          amount: '20000',
          effective: '20000',
          termWeight: 10_000,
          days: 30,
          produced: '0',
          collected: '0',
        },
        {
          ...one,
          id: 'b6f7a1c2-0000-4000-8000-000000000003',
          status: 'close',
          startDay: 20_000,
          endDay: 20_030,
          day: 30,
          amount: '132400',
          effective: '132400',
          termWeight: 10_000,
          days: 30,
          produced: '0',
          returnedAt: minutesFromNow(-60),
          settledAt: null,
        },
      ]
    : []
  await patchAnswer(page, 'pool/days', () => ({ items: days, next: null }))
  await patchAnswer(page, 'pledge/days', () => ({ items: lines, next: null }))
  await patchAnswer(page, 'pledge/records', () => ({ items: [...(closed ? more : []), ...records], next: null }))
}

/** The pledge page and its preview, the records, and the table of days. */
export const pledgeScreens: Readonly<Record<string, (tools: ScreenFixtures) => Promise<void>>> = {
  pledge: async (tools) => {
    await openPledgePage(tools, withRunningPledges)
    await pledgePage(tools.page).quantity.fill('50000')
    await pledgePage(tools.page).term(180).check()
  },
  'pledge-first': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/pledge')
    await page.getByText('Nothing to collect').waitFor()
  },
  'pledge-wrong': async (tools) => {
    await openPledgePage(tools, withRunningPledges)
    await pledgePage(tools.page).quantity.fill('10000.5')
    await tools.page.getByText('Whole BTN only').waitFor()
  },
  'pledge-waiting': async (tools) => {
    await openPledgePage(
      tools,
      (data) => ({
        ...withRunningPledges(data),
        produced: '0',
        last: { day: data.today - 2, shared: '0', amount: '0', closedAt: minutesFromNow(-900) },
      }),
      ({ at }) => ({ ...scheduled({ at }), state: 'waiting-operators', until: minutesFromNow(4_000) }),
    )
    await tools.page.getByText('Two operators review it').waitFor()
  },
  'pledge-no-plan': async (tools) => {
    await openPledgePage(
      tools,
      (data) => ({ ...data, plan: null }),
      () => null,
    )
    await tools.page.getByText('nothing can be pledged').waitFor()
  },
  'pledge-open-order': async ({ page, enterWith }) => {
    await enterWith({ BTN: '50000' })
    await placeUnpaidOrder(page, { kind: 'pledge', quantity: '20000', termDays: 90 })
    await page.goto('/pledge')
    await page.getByText('You can come back to this order').waitFor()
  },
  'pledge-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/pledge\//, () => new Promise(() => {}))
    await page.goto('/pledge')
    await page.getByText('New pledge').waitFor()
  },
  'pledge-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/pledge\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/pledge')
    await page.getByRole('heading', { name: 'Your pledges could not be loaded' }).waitFor()
  },
  'pledge-preview': async (tools) => {
    const { page, enter } = tools
    await enter(await registerRichMember(tools))
    await previewPledge(page, '150000', 180)
    await pledgePage(page).part.fill('132400.75')
    await pledgePage(page).password.waitFor()
  },

  'pledge-preview-realized': async (tools) => {
    const { page, enter } = tools
    await enter(await registerRichMember(tools))
    const { days } = makeProductionTable(dayOf(new Date()) - 14, [...FUNDED, 348_000n, 354_847n])
    await patchAnswer(page, 'pool/days', () => ({ items: days, next: null }))
    await previewPledge(page, '150000', 180)
    await page.getByText('Later days can bring more, less or nothing.').scrollIntoViewIfNeeded()
  },

  'pledge-records': async (tools) => {
    const { page, register, enter } = tools
    await enter(await register())
    await mockProduction(tools, { closed: true })
    await page.goto('/pledge/detail')
    await page.getByText('No more data available').waitFor()
  },
  'pledge-records-empty': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/pledge/detail')
    await page.getByRole('heading', { name: 'No data yet' }).waitFor()
  },
  'pledge-records-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/pledge\//, () => new Promise(() => {}))
    await page.goto('/pledge/detail')
    await page.getByRole('combobox', { name: 'Status' }).waitFor()
  },
  'pledge-records-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/pledge\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/pledge/detail')
    await page.getByRole('heading', { name: 'Your pledge records could not be loaded' }).waitFor()
  },
  'pledge-days': async (tools) => {
    const { page, register, enter } = tools
    await enter(await register())
    await mockProduction(tools)
    await page.goto('/pledge/detail?show=days')
    await page.getByText('days shown match').waitFor()
    await page.getByText('Figures of the day').first().click()
  },
  'wallet-line-dividend': async (tools) => {
    const { page } = tools
    await tools.enter(await registerRichMember(tools))
    await mockProduction(tools)
    await patchAnswer(page, 'wallet/log', (data) => ({
      ...data,
      lines: [
        {
          id: 'pointReward:b6f7a1c2-0000-4000-8000-000000000009',
          type: 'pointReward',
          status: 'confirmed',
          direction: 'in',
          amount: '0.00418721',
          fee: '0',
          at: minutesFromNow(-5),
          endedAt: minutesFromNow(-5),
          balanceAfter: '0.00418721',
          tx: null,
        },
      ],
      next: null,
    }))
    await page.goto('/wallet/detail?symbol=BTC')
    await page.getByRole('button', { name: 'Pledge dividend' }).click()
    await page.getByRole('dialog').getByText('Days (UTC)').waitFor()
  },
  'pledge-days-bent': async (tools) => {
    const { page, register, enter } = tools
    await enter(await register())
    await mockProduction(tools, { bent: true })
    await page.goto('/pledge/detail?show=days')
    await page.getByText('do not match').waitFor()
  },
  'pledge-days-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/pool\/days/, () => new Promise(() => {}))
    await page.goto('/pledge/detail?show=days')
    await page.getByText('Recalculating in this browser').waitFor()
  },
  'pledge-days-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/pool\/days/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/pledge/detail?show=days')
    await page.getByRole('heading', { name: 'The table of days could not be loaded' }).waitFor()
  },
}
