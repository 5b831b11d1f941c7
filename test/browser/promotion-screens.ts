import { asIfAnswered } from './answers.ts'
import { fillBooks } from './books.ts'
import { rememberWallet } from './member.ts'
import { openForm, orderOnline, promotion } from './promotion.ts'
import { orderNextLevel, promotedMember } from './rewards.ts'
import type { Tools } from './screens.ts'
import { fillTeam } from './team.ts'

const soon = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()
const tx = `0x${'ab'.repeat(32)}`

/** The promotion page, its form, and an order in each of its states. */
export const promotionScreens: Readonly<Record<string, (tools: Tools) => Promise<void>>> = {
  promotion: async ({ page, stack, register, enter }) => {
    const member = await promotedMember(stack, register, { level: 3 })
    await fillTeam(stack, member, { invited: 12, activatedEvery: 3 })
    await asIfAnswered(page, 'promotion/overview', (data) => ({
      ...data,
      income: '1234.56789',
      rewards: { count: 14, atMost: 39 },
      thanksgiving: { expert: true, pending: '40' },
    }))
    await enter(member)
    await page.goto('/promotion')
    await promotion(page).promote.waitFor()
  },
  'promotion-first': async ({ page, register, enter }) => {
    await enter(await register())
    await asIfAnswered(page, 'promotion/overview', (data) => ({
      ...data,
      plan: data.plan && { ...data.plan, next: data.plan.next && { ...data.plan.next, airdropFunded: false } },
    }))
    await page.goto('/promotion')
    await page.getByText('Airdrop reserve empty').waitFor()
  },
  'promotion-highest': async ({ page, register, enter }) => {
    await enter(await register())
    await asIfAnswered(page, 'promotion/overview', (data) => ({
      ...data,
      level: 5,
      plan: data.plan && { ...data.plan, next: null },
    }))
    await page.goto('/promotion')
    await page.getByText('You hold the highest level').waitFor()
  },
  'promotion-no-plan': async ({ page, register, enter }) => {
    await enter(await register())
    await asIfAnswered(page, 'promotion/overview', (data) => ({ ...data, plan: null }))
    await page.goto('/promotion')
    await page.getByText('nothing is sold').waitFor()
  },
  'promotion-open-order': async ({ page, stack, register, enter }) => {
    const member = await promotedMember(stack, register, { level: 1 })
    await orderNextLevel(stack, member, { fromBalance: '40' })
    await enter(member)
    await page.goto('/promotion')
    await page.getByText('The same order is offered').waitFor()
  },
  'promotion-loading': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/promotion\//, () => new Promise(() => {}))
    await page.goto('/promotion')
    await page.getByText('Current level').waitFor()
  },
  'promotion-failed': async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/promotion\//, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/promotion')
    await page.getByRole('heading', { name: 'Your level could not be loaded' }).waitFor()
  },

  'promote-mixed': async ({ page, stack, register, enter }) => {
    const member = await promotedMember(stack, register, { level: 1 })
    await fillBooks(stack, member, [{ received: '123.456789', asset: 'USDT' }])
    await enter(member)
    await openForm(page)
    await promotion(page).part.fill('50')
    await promotion(page).password.waitFor()
  },
  'promote-online': async ({ page, register, enter }) => {
    await enter(await register())
    await openForm(page)
  },
  'promote-wrong': async ({ page, stack, register, enter }) => {
    const member = await register()
    await fillBooks(stack, member, [{ received: '20', asset: 'USDT' }])
    await enter(member)
    await openForm(page)
    await promotion(page).part.fill('20.5')
    await page.getByText('Insufficient available balance').waitFor()
  },
  'promote-no-password': async ({ page, stack, register, enter }) => {
    const member = await register()
    await fillBooks(stack, member, [{ received: '20', asset: 'USDT' }])
    await enter(member)
    await openForm(page)
    await promotion(page).part.fill('20')
    await page.getByText('which you have not chosen yet').waitFor()
  },

  'order-paying': async ({ page, enterWith }) => {
    await enterWith({ USDT: '500' })
    await orderOnline(page)
  },
  'order-unread': async ({ page, enterWith }) => {
    const { wallet } = await enterWith({ USDT: '500' })
    wallet.will('fails', 'eth_getBalance')
    await openForm(page)
    await promotion(page).submit.click()
    await promotion(page).order.getByRole('button', { name: 'Try again' }).waitFor()
  },
  'order-asking': async ({ page, enterWith }) => {
    const { wallet } = await enterWith({ USDT: '500' })
    await orderOnline(page)
    wallet.will('hangs', 'eth_sendTransaction', 1)
    await promotion(page).pay.click()
    await promotion(page).status('In your wallet').waitFor()
  },
  'order-cancel': async ({ page, enterWith }) => {
    await enterWith({ USDT: '500' })
    await orderOnline(page)
    await promotion(page).cancel.click()
    await page.getByRole('alertdialog').waitFor()
  },
  'order-closing': (tools) =>
    standing(tools, { state: 'closing', closesAt: soon(12), quote: null, cancellable: false }, 'Closing:'),
  'order-confirming': (tools) =>
    standing(tools, { state: 'confirming', status: 3, tx, quote: null, cancellable: false }, 'usually final'),
  'order-success': (tools) =>
    standing(
      tools,
      {
        state: 'success',
        status: 1,
        tx,
        quote: null,
        cancellable: false,
        endedAt: soon(0),
        airdrop: { amount: '24000', paid: false },
      },
      'You are L2 now',
    ),
  'order-level-held': (tools) =>
    standing(
      tools,
      { state: 'failed', status: 0, failure: 'level-already-held', tx, quote: null, cancellable: false },
      'You held this level already',
    ),
}

/** A real mixed order, shown as if it were in this state. */
async function standing({ page, stack, register, enter, giveWallet }: Tools, changes: object, words: string) {
  const member = await promotedMember(stack, register, { level: 1 })
  await orderNextLevel(stack, member, { fromBalance: '40' })
  const wallet = await giveWallet({ account: member.account })
  await asIfAnswered(page, 'order/detail', (data) => ({ ...data, ...changes }) as typeof data)
  await enter(member)
  await rememberWallet(page, wallet)
  await page.goto('/promotion')
  await page.getByRole('button', { name: 'Pay 160 USDT' }).click()
  await promotion(page).order.getByText(words).waitFor()
}
