import { type DataOf, orderTypes } from '@lode/wire'
import type { Locator, Page } from '@playwright/test'
import { patchAnswer } from '../browser/api-answers.ts'
import { orderPledge } from '../browser/pledge.ts'
import { orderNextLevel, registerPromotedMember } from '../browser/rewards.ts'
import { expect, test } from '../browser/test.ts'
import { visibleMain } from '../browser/views.ts'

type PromotionOrder = Extract<DataOf<'order/list'>, { type: typeof orderTypes.promotion }>['items'][number]

const lines = (page: Page): Locator => visibleMain(page).getByRole('list').getByRole('listitem')
const figure = (page: Page, name: string): Locator =>
  visibleMain(page).locator('dt').getByText(name, { exact: true }).locator('xpath=following-sibling::dd[1]')

/** A time within the next hour. Shortly before midnight that is tomorrow, and the text has the date too. */
const SOON = String.raw`(?:\d+ \w+ \d{4}, )?\d\d:\d\d`

// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test.describe('the records of orders and payments', () => {
  test('show the numbers of all and of successful orders, with method, parts and the next action', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await registerPromotedMember(stack, register, { level: 1 })
    await orderNextLevel(stack, member, { fromBalance: '40' })
    await enter(member)
    await page.goto('/setting')
    await page.getByRole('link', { name: 'Order records' }).click()
    await expect(page).toHaveURL('/setting/subscribe')
    await expect(figure(page, 'Total orders')).toHaveText('2')
    await expect(figure(page, 'Successful orders')).toHaveText('1')

    const [open, paid] = [lines(page).first(), lines(page).nth(1)]
    await expect(open).toContainText('Promotion to L2')
    await expect(open).toContainText('200.00 USDT')
    await expect(open).toContainText('Waiting for payment')
    await expect(open).toContainText('Mixed payment · 40 USDT from balance, 160 USDT online')
    await expect(open).toContainText(new RegExp(`Pay by ${SOON}\\.`))
    await expect(paid).toContainText('Promotion to L1')
    await expect(paid).toContainText('Success')
    await expect(paid).toContainText('Paid from balance')

    await page.getByRole('radio', { name: 'Payment records' }).check({ force: true })
    await expect(figure(page, 'Total payments')).toHaveText('1')
    await expect(figure(page, 'Successful payments')).toHaveText('1')
    await expect(lines(page)).toHaveText(/Promotion to L1.*100\.00 USDT.*Success.*Paid from balance/s)

    await page.goto('/setting')
    await page.getByRole('link', { name: 'Payment records' }).click()
    await expect(page).toHaveURL('/setting/subscribe?show=payments')
    await expect(figure(page, 'Total payments')).toHaveText('1')
    await page.getByRole('link', { name: 'Transfer records' }).click()
    await expect(page).toHaveURL('/setting/transfer?show=records')
  })

  test('open an unpaid order, which can be canceled there and then closes', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await registerPromotedMember(stack, register, { level: 0 })
    await orderNextLevel(stack, member, { fromBalance: '30' })
    await enter(member)
    await page.goto('/setting/subscribe')
    await lines(page).first().getByRole('button', { name: 'Pay or cancel' }).click()
    const sheet = page.getByRole('dialog', { name: 'Promotion to L1' })
    await sheet.getByRole('button', { name: 'Cancel order' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel order' }).click()
    await expect(sheet).toContainText('Closing. A payment already sent still counts')
    await sheet.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expect(lines(page).first()).toContainText('Closing')
    await expect(lines(page).first()).toContainText(
      new RegExp(`A payment already sent still counts; otherwise your reserved amount returns at about ${SOON}`),
    )
    await expect(lines(page).first().getByRole('button', { name: 'Pay or cancel' })).toHaveCount(0)
  })

  test('say that an unpaid order is to be paid, and show an expired or canceled one calmly, without red', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await registerPromotedMember(stack, register, { level: 0 })
    await orderNextLevel(stack, member, { fromBalance: '0' })
    let change: Partial<PromotionOrder> = {}
    await patchAnswer(page, 'order/list', (data) =>
      data.type === orderTypes.promotion
        ? { ...data, items: data.items.map((order) => ({ ...order, ...change })) }
        : data,
    )
    await patchAnswer(page, 'order/detail', (data) => ({ ...data, ...change }) as typeof data)
    await enter(member)
    await page.goto('/setting/subscribe')
    const line = lines(page).first()
    await expect(line).toContainText('To be paid from your wallet')
    await expect(line).not.toContainText('Paid online')

    const ended = { state: 'failed', status: 0, method: 1, quote: null, cancellable: false, tx: null } as const
    for (const { failure, pill } of [
      { failure: 'expired', pill: 'Expired' },
      { failure: 'cancelled', pill: 'Canceled' },
    ] as const) {
      change = { ...ended, failure }
      await page.reload()
      await expect(line).toContainText('Was to be paid from your wallet')
      await expect(line.getByText(pill, { exact: true })).toHaveClass(/neutral/)
      await line.getByRole('button', { name: 'Details' }).click()
      const sheet = page.getByRole('dialog', { name: 'Promotion to L1' })
      await expect(sheet).toContainText('Was to be paid from your wallet')
      await expect(sheet).toContainText('Nothing was paid.')
      await expect(sheet.getByText(pill, { exact: true })).toHaveClass(/neutral/)
    }
    change = { ...ended, failure: 'level-already-held', tx: `0x${'ab'.repeat(32)}` }
    await page.reload()
    await expect(line.getByText('Failed', { exact: true })).toHaveClass(/rose/)
    await expect(line).toContainText('Paid online')
  })

  test('can be filtered by status, and keep their totals', async ({ page, stack, register, enter }) => {
    const member = await registerPromotedMember(stack, register, { level: 2 })
    await enter(member)
    await page.goto('/setting/subscribe')
    await expect(lines(page)).toHaveCount(2)
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Failed')
    await expect(visibleMain(page)).toContainText('No order matches this filter.')
    await expect(figure(page, 'Total orders')).toHaveText('2')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Success')
    await expect(lines(page)).toHaveCount(2)
  })

  test('list pledges separately from promotions, each with its term', async ({ page, stack, register, enter }) => {
    const member = await registerPromotedMember(stack, register, { level: 1 })
    await orderPledge(stack, member, { quantity: '20000', termDays: 90, fromBalance: '20000' })
    await orderPledge(stack, member, { quantity: '10001', termDays: 30, fromBalance: '1' })
    await enter(member)
    await page.goto('/setting/subscribe')
    await expect(lines(page)).toHaveText(/Promotion to L1/)
    await page.getByRole('combobox', { name: 'Order type' }).selectOption('Pledges')
    await expect(figure(page, 'Total orders')).toHaveText('2')
    await expect(figure(page, 'Successful orders')).toHaveText('1')
    const [open, running] = [lines(page).first(), lines(page).nth(1)]
    await expect(open).toContainText('Pledge for 30 days')
    await expect(open).toContainText('Mixed payment · 1 BTN from balance, 10,000 BTN online')
    await expect(running).toContainText('Pledge for 90 days')
    await expect(running).toContainText(/20,000\S* BTN/)

    await running.getByRole('button', { name: 'Details' }).click()
    const sheet = page.getByRole('dialog', { name: 'Pledge for 90 days' })
    await expect(sheet).toContainText('×1.10')
    await expect(sheet).toContainText('it cannot be ended early')
    await sheet.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('radio', { name: 'Payment records' }).check({ force: true })
    await expect(figure(page, 'Total payments')).toHaveText('2')
    await expect(lines(page).first()).toContainText('Pledge for 90 days')
  })

  test('show why they cannot be loaded, and load on retry', async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/order\/list/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/setting/subscribe')
    await expect(page.getByRole('heading', { name: 'Your orders could not be loaded' })).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'No data yet' })).toBeVisible()
    await expect(figure(page, 'Total orders')).toHaveText('0')
  })

  for (const { lang, total, waiting, mixed } of [
    { lang: 'zh_tw', total: '訂單總數', waiting: '等待付款', mixed: '混合付款 · 餘額 30 USDT，線上 70 USDT' },
    { lang: 'zh_cn', total: '订单总数', waiting: '等待付款', mixed: '混合支付 · 余额 30 USDT，在线 70 USDT' },
  ] as const)
    test(`are translated into ${lang}`, async ({ page, stack, register, enter }) => {
      const member = await registerPromotedMember(stack, (options) => register({ ...options, lang }), { level: 0 })
      await orderNextLevel(stack, member, { fromBalance: '30' })
      await enter(member)
      await page.goto('/setting/subscribe')
      await expect(figure(page, total)).toHaveText('1')
      await expect(lines(page).first()).toContainText(waiting)
      await expect(lines(page).first()).toContainText(mixed)
    })
})
