import { type DataOf, orderTypes } from '@lode/wire'
import type { Page } from '@playwright/test'
import { patchAnswer } from './api-answers.ts'
import { orderNextLevel, registerPromotedMember } from './rewards.ts'
import type { ScreenFixtures } from './screens.ts'

type PromotionPage = Extract<DataOf<'order/list'>, { type: typeof orderTypes.promotion }>
type PromotionOrder = PromotionPage['items'][number]

const inNineMinutes = new Date(Date.now() + 9 * 60_000).toISOString()
const tx = `0x${'ab'.repeat(32)}`

/** One order in each possible state. */
const orderStates: readonly Partial<PromotionOrder>[] = [
  { state: 'paying', status: 2, method: 3, balancePart: '40', payAmount: '160', deadline: inNineMinutes },
  {
    state: 'closing',
    status: 2,
    method: 3,
    balancePart: '199.999999',
    payAmount: '0.000001',
    closesAt: inNineMinutes,
    cancellable: false,
    quote: null,
  },
  { state: 'confirming', status: 3, method: 1, tx, cancellable: false, quote: null },
  {
    state: 'success',
    status: 1,
    method: 2,
    tx: null,
    cancellable: false,
    quote: null,
    amount: '1600',
    level: 5,
    airdrop: { amount: '192000', paid: false },
  },
  {
    state: 'failed',
    status: 0,
    method: 3,
    failure: 'level-already-held',
    balancePart: '40',
    payAmount: '160',
    tx,
    cancellable: false,
    quote: null,
  },
  {
    state: 'failed',
    status: 0,
    method: 1,
    failure: 'expired',
    cancellable: false,
    quote: null,
    balancePart: '0',
    payAmount: '200',
  },
]

/** Answers with a real order, and with copies of it in every state. */
const mockOrders = (page: Page): Promise<void> =>
  patchAnswer(page, 'order/list', (data) => {
    if (data.type !== orderTypes.promotion) return data
    const [one] = data.items
    const items = one ? orderStates.map((standing, place) => ({ ...one, ...standing, id: idOf(place) })) : []
    return { ...data, items, total: orderStates.length, successes: 1 }
  })

const idOf = (place: number): string => `00000000-0000-4000-8000-00000000000${place}`

/** The records of orders and payments, each with the steps that open it. */
export const recordsScreens: Readonly<Record<string, (tools: ScreenFixtures) => Promise<void>>> = {
  'records-orders': async ({ page, stack, register, enter }) => {
    const member = await registerPromotedMember(stack, register, { level: 1 })
    await orderNextLevel(stack, member, { fromBalance: '40' })
    await mockOrders(page)
    await enter(member)
    await page.goto('/setting/subscribe')
    await page.getByText('No more data available').waitFor()
  },
  'records-payments': async ({ page, stack, register, enter }) => {
    const member = await registerPromotedMember(stack, register, { level: 1 })
    await patchAnswer(page, 'order/payments', (data) => {
      const [one] = data.items
      const states = ['sent', 'confirming', 'confirmed', 'credited'] as const
      const items = states.flatMap((state, place) =>
        one
          ? [{ ...one, orderId: idOf(place), state, method: 3 as const, balancePart: '40', payAmount: '60', tx }]
          : [],
      )
      return { ...data, items: [...items, ...data.items], total: 5, successes: 2 }
    })
    await enter(member)
    await page.goto('/setting/subscribe?show=payments')
    await page.getByText('No more data available').waitFor()
  },
  'records-empty': async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/setting/subscribe')
    await page.getByRole('heading', { name: 'No data yet' }).waitFor()
  },
  'records-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/order\//, () => new Promise(() => {}))
    await page.goto('/setting/subscribe')
    await page.getByText('Total orders').waitFor()
  },
  'records-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/order\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/setting/subscribe')
    await page.getByRole('heading', { name: 'Your orders could not be loaded' }).waitFor()
  },
}
