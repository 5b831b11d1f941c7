import { patchAnswer } from './api-answers.ts'
import { storeWallet } from './member.ts'
import { postHistory } from './post-history.ts'
import { openPromotionForm, orderOnline, promotionPage } from './promotion.ts'
import { orderNextLevel, registerPromotedMember } from './rewards.ts'
import type { ScreenFixtures } from './screens.ts'
import { createTeam } from './team.ts'

const minutesFromNow = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()
const tx = `0x${'ab'.repeat(32)}`

/** The promotion page, its form, and an order in each of its states. */
export const promotionScreens: Readonly<Record<string, (tools: ScreenFixtures) => Promise<void>>> = {
  promotion: async ({ page, stack, register, enter }) => {
    const member = await registerPromotedMember(stack, register, { level: 3 })
    await createTeam(stack, member, { invited: 12, activatedEvery: 3 })
    await patchAnswer(page, 'promotion/overview', (data) => ({
      ...data,
      income: '1234.56789',
      rewards: { count: 14, atMost: 39 },
      thanksgiving: { expert: true, pending: '40' },
    }))
    await enter(member)
    await page.goto('/promotion')
    await promotionPage(page).promote.waitFor()
  },
  'promotion-first': async ({ page, register, enter }) => {
    await enter(await register())
    await patchAnswer(page, 'promotion/overview', (data) => ({
      ...data,
      plan: data.plan && { ...data.plan, next: data.plan.next && { ...data.plan.next, airdropFunded: false } },
    }))
    await page.goto('/promotion')
    await page.getByText('airdrop reserve is empty').waitFor()
  },
  'promotion-highest': async ({ page, register, enter }) => {
    await enter(await register())
    await patchAnswer(page, 'promotion/overview', (data) => ({
      ...data,
      level: 5,
      plan: data.plan && { ...data.plan, next: null },
    }))
    await page.goto('/promotion')
    await page.getByText('You hold the highest level').waitFor()
  },
  'promotion-no-plan': async ({ page, register, enter }) => {
    await enter(await register())
    await patchAnswer(page, 'promotion/overview', (data) => ({ ...data, plan: null }))
    await page.goto('/promotion')
    await page.getByText('nothing is for sale').waitFor()
  },
  'promotion-open-order': async ({ page, stack, register, enter }) => {
    const member = await registerPromotedMember(stack, register, { level: 1 })
    await orderNextLevel(stack, member, { fromBalance: '40' })
    await enter(member)
    await page.goto('/promotion')
    await page.getByText('You can come back to this order').waitFor()
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
    const member = await registerPromotedMember(stack, register, { level: 1 })
    await postHistory(stack, member, [{ received: '123.456789', asset: 'USDT' }])
    await enter(member)
    await openPromotionForm(page)
    await promotionPage(page).part.fill('50')
    await promotionPage(page).password.waitFor()
  },
  'promote-online': async ({ page, enterWith }) => {
    await enterWith({ USDT: '500' })
    await openPromotionForm(page)
  },
  'promote-wrong': async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, [{ received: '20', asset: 'USDT' }])
    await enter(member)
    await openPromotionForm(page)
    await promotionPage(page).part.fill('20.5')
    await page.getByText('Insufficient available balance').waitFor()
  },
  'promote-no-password': async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, [{ received: '20', asset: 'USDT' }])
    await enter(member)
    await openPromotionForm(page)
    await promotionPage(page).part.fill('20')
    await page.getByText('Choose one first.').waitFor()
  },

  'order-paying': async ({ page, enterWith }) => {
    await enterWith({ USDT: '500' })
    await orderOnline(page)
  },
  'order-unread': async ({ page, enterWith }) => {
    const { wallet } = await enterWith({ USDT: '500' })
    wallet.setMisbehavior('fails', 'eth_getBalance')
    await openPromotionForm(page)
    await promotionPage(page).submit.click()
    await promotionPage(page).order.getByRole('button', { name: 'Try again' }).waitFor()
  },
  'order-asking': async ({ page, enterWith }) => {
    const { wallet } = await enterWith({ USDT: '500' })
    await orderOnline(page)
    wallet.setMisbehavior('hangs', 'eth_sendTransaction', 1)
    await promotionPage(page).pay.click()
    await promotionPage(page).status('In your wallet').waitFor()
  },
  'order-cancel': async ({ page, enterWith }) => {
    await enterWith({ USDT: '500' })
    await orderOnline(page)
    await promotionPage(page).cancel.click()
    await page.getByRole('alertdialog').waitFor()
  },
  'order-paid-elsewhere': (tools) => openOrderInState(tools, { tx }, 'Transaction'),
  'order-closing': (tools) =>
    openOrderInState(
      tools,
      { state: 'closing', closesAt: minutesFromNow(12), quote: null, cancellable: false },
      'Closing. A payment already sent',
    ),
  'order-confirming': (tools) =>
    openOrderInState(tools, { state: 'confirming', status: 3, tx, quote: null, cancellable: false }, 'usually final'),
  'order-success': (tools) =>
    openOrderInState(
      tools,
      {
        state: 'success',
        status: 1,
        tx,
        quote: null,
        cancellable: false,
        endedAt: minutesFromNow(0),
        airdrop: { amount: '24000', paid: false },
      },
      'You are now L2',
    ),
  'order-level-held': (tools) =>
    openOrderInState(
      tools,
      { state: 'failed', status: 0, failure: 'level-already-held', tx, quote: null, cancellable: false },
      'You already held this level',
    ),
}

/** A real mixed order, shown as if it were in this state. */
async function openOrderInState(
  { page, stack, register, enter, giveWallet }: ScreenFixtures,
  changes: object,
  words: string,
) {
  const member = await registerPromotedMember(stack, register, { level: 1 })
  await orderNextLevel(stack, member, { fromBalance: '40' })
  const wallet = await giveWallet({ account: member.account })
  await patchAnswer(page, 'order/detail', (data) => ({ ...data, ...changes }) as typeof data)
  await enter(member)
  await storeWallet(page, wallet)
  await page.goto('/promotion')
  await page.getByRole('button', { name: 'Pay 160 USDT' }).click()
  await promotionPage(page).order.getByText(words).waitFor()
}
