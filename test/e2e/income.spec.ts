import type { Locator, Page } from '@playwright/test'
import { patchAnswer } from '../browser/api-answers.ts'
import { withIncome } from '../browser/income-screens.ts'
import { dayOf, formatDay } from '../browser/pledge.ts'
import { expect, test } from '../browser/test.ts'

// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const visibleMain = (page: Page): Locator => page.locator('main:visible')
const card = (page: Page, heading: string): Locator =>
  visibleMain(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: heading, level: 2, exact: true }) })

test.describe('what a member earned', () => {
  test('is shown for each period, with its sources and what was missed', async ({ page, register, enter }) => {
    await enter(await register())
    await patchAnswer(page, 'account/income', withIncome)
    await page.goto('/wallet/income')
    await expect(page.getByRole('radio', { name: '30 d' })).toBeChecked()
    await expect(card(page, 'By source')).toContainText('Referral reward+')
    await expect(card(page, 'By source')).toContainText('Pledge dividend+0.0')
    await expect(card(page, 'By source')).toContainText('Activation airdrop+1,000.00')
    await expect(card(page, 'By source')).toContainText('1,000.00 BTN≈ 10.00 USDT')
    await expect(visibleMain(page)).toContainText('1 BTC = 65,000.00 USDT, price of')
    await expect(card(page, 'Missed')).toContainText('4 rewards31.00 USDT')
    await expect(card(page, 'Missed')).toContainText('Your level was below the one that was bought: 3 rewards21.00')
    await expect(card(page, 'Missed')).toContainText('as many referral rewards as your level allows: 1 reward10.00')

    for (const [period, name, bars] of [
      ['7 d', 'By day', 7],
      ['90 d', 'By day', 90],
      ['Year', 'By month', 12],
    ] as const) {
      await page.getByRole('radio', { name: period }).check()
      await expect(page.getByRole('slider', { name })).toHaveAttribute('max', String(bars - 1))
    }
    await page.getByRole('radio', { name: 'Today' }).check()
    await expect(page.getByRole('slider'), 'one day needs no chart').toHaveCount(0)

    await card(page, 'Missed').getByRole('link', { name: 'Records' }).click()
    await expect(page).toHaveURL('/promotion/reward?status=failed')
    await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('failed')
  })

  test('of another period does not stay under the chosen one, while it loads or without a network', async ({
    page,
    context,
    register,
    enter,
  }) => {
    await enter(await register())
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(/account\/income\?.*period=week/, async (route) => {
      await answered
      await route.continue()
    })
    await page.goto('/wallet/income')
    const figures = visibleMain(page).locator('div[aria-busy]')
    await expect(figures).toHaveAttribute('aria-busy', 'false')
    await page.getByRole('radio', { name: '7 d' }).check()
    await expect(figures).toHaveAttribute('aria-busy', 'true')
    answer()
    await expect(figures).toHaveAttribute('aria-busy', 'false')

    await context.setOffline(true)
    await page.getByRole('radio', { name: '90 d' }).check()
    await expect(visibleMain(page)).toContainText('You are offline')
    await expect(figures).toHaveCount(0)
    await page.getByRole('radio', { name: '7 d' }).check()
    await expect(figures).toHaveAttribute('aria-busy', 'false')
  })

  test('has a chart that answers to a finger and to the keyboard, and a table that adds up', async ({
    page,
    register,
    enter,
  }) => {
    await enter(await register())
    await patchAnswer(page, 'account/income', withIncome)
    await page.goto('/wallet/income?period=week')
    const slider = page.getByRole('slider', { name: 'By day' })
    const chosen = card(page, 'By day').locator('p').nth(1)
    const today = dayOf(new Date())
    await expect(chosen).toContainText(formatDay(today))
    await slider.focus()
    for (let press = 0; press < 3; press += 1) await slider.press('ArrowLeft')
    await expect(chosen).toContainText(formatDay(today - 3))
    await expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`^${formatDay(today - 3)}: .*BTC`))
    await slider.press('Home')
    await expect(chosen).toContainText(formatDay(today - 6))

    // A tap on each bar chooses that bar.
    const box = await slider.boundingBox()
    if (!box) throw new Error('the chart is not drawn')
    for (const place of [6, 0, 3]) {
      await page.touchscreen.tap(box.x + (box.width * (place + 0.5)) / 7, box.y + box.height / 2)
      await expect(slider).toHaveValue(String(place))
    }

    // One symbol alone has bars of its own height and its figures only.
    const tallest = (symbol: string): Promise<number> =>
      card(page, 'By day')
        .locator(`svg [data-symbol=${symbol}]`)
        .evaluateAll((pieces) => Math.max(...pieces.map((piece) => Number(piece.getAttribute('height')))))
    expect(await tallest('BTC')).toBeLessThan(900)
    await page.getByRole('radio', { name: 'BTC', exact: true }).check()
    expect(await tallest('BTC')).toBe(1000)
    await expect(card(page, 'By day').locator('svg [data-symbol=BTN]')).toHaveCount(0)
    await expect(chosen).toContainText(/BTC/)
    await expect(chosen).not.toContainText(/BTN/)
    await page.getByRole('radio', { name: 'All', exact: true }).nth(1).check()

    await page.getByText('As a table').click()
    const rows = await card(page, 'By day').getByRole('row').all()
    const cells = await Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allTextContents()))
    const sums = cells.at(-1) ?? []
    for (const [column, sum] of sums.entries()) {
      const added = cells.slice(0, -1).reduce((all, row) => all + Number(row[column]?.replaceAll(',', '')), 0)
      expect(added).toBeCloseTo(Number(sum.replaceAll(',', '')), 8)
    }
    expect(rows).toHaveLength(9)
  })

  test('is opened from the home page, and leads to the statement', async ({ page, register, enter }) => {
    await enter(await register())
    await patchAnswer(page, 'account/home', (data) => ({ ...data, steps: null }))
    await page.goto('/home')
    await card(page, 'Paid to you by the pool').getByRole('link', { name: 'Details' }).click()
    await expect(page).toHaveURL('/wallet/income')
    await expect(visibleMain(page)).toContainText('Nothing was paid into your balance in this period.')
    await visibleMain(page)
      .getByRole('link', { name: /^Statement/ })
      .click()
    await expect(page).toHaveURL('/wallet/statement')
  })
})
