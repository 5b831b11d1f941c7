import type { Page } from '@playwright/test'
import { withAnimations } from '../browser/appearance.ts'
import { postHistory } from '../browser/post-history.ts'
import { askToLogOut } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'
import { visibleMain } from '../browser/views.ts'

test.use(withAnimations)

const title = (page: Page) => page.getByRole('heading', { level: 1 })
const sections = (page: Page) => page.getByRole('navigation', { name: 'Main sections' })
const readScrollPosition = (page: Page): Promise<number> => visibleMain(page).evaluate(({ scrollTop }) => scrollTop)

test.describe('the back button', () => {
  test('closes an open sheet first, then goes to the previous page', async ({ page, enterHolding }) => {
    await enterHolding()
    await page.goto('/wallet')
    await visibleMain(page).getByRole('link', { name: /USDT/ }).first().click()
    await expect(page).toHaveURL('/wallet/detail?symbol=USDT')
    await page.getByRole('button', { name: 'Deposit', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'Deposit USDT' })
    await expect(sheet).toBeVisible()
    await page.goBack()
    await expect(sheet).toBeHidden()
    await expect(page).toHaveURL('/wallet/detail?symbol=USDT')
    await page.goBack()
    await expect(page).toHaveURL('/wallet')
  })

  test('answers a confirmation dialog with no', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/home')
    await page.getByRole('link', { name: 'Open setting' }).click()
    const question = await askToLogOut(page)
    await page.goBack()
    await expect(question).toBeHidden()
    await expect(title(page)).toHaveText('Setting')
    await page.goBack()
    await expect(page).toHaveURL('/home')
  })

  test('skips sheets that were already closed by hand', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/home')
    await page.getByRole('link', { name: 'Open setting' }).click()
    for (let times = 0; times < 3; times++) {
      const question = await askToLogOut(page)
      await question.getByRole('button', { name: 'Cancel' }).click()
      await expect(question).toBeHidden()
    }
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page).toHaveURL('/home')
  })

  test('goes back page by page after a sheet was closed and a link followed', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/home')
    await page.getByRole('link', { name: 'Open setting' }).click()
    await askToLogOut(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await page.getByRole('link', { name: 'Help center' }).click()
    await expect(title(page)).toHaveText('Help center')
    await page.goBack()
    await expect(title(page)).toHaveText('Setting')
    await page.goBack()
    await expect(page).toHaveURL('/home')
  })

  for (const [path, above] of [
    ['/wallet/detail?symbol=BTC', '/wallet'],
    ['/wallet/income', '/home'],
    ['/wallet/statement', '/wallet'],
    ['/pledge/detail?show=days', '/pledge'],
    ['/promotion/reward', '/promotion'],
    ['/teams/maps', '/teams'],
    ['/setting', '/home'],
    ['/setting/subscribe?show=payments', '/setting'],
    ['/setting/dao', '/setting'],
    ['/setting/notice', '/setting'],
    ['/setting/help', '/setting'],
    ['/setting/transfer', '/setting'],
    ['/share', '/home'],
  ] as const)
    test(`on ${path}, opened directly by its URL, leads to the parent page ${above}`, async ({
      page,
      register,
      enter,
    }) => {
      await enter(await register())
      await page.goto(path)
      await page.getByRole('button', { name: 'Back' }).click()
      await expect(page).toHaveURL(above)
      await expect(visibleMain(page)).toBeVisible()
    })
})

test.describe('a page that stays in memory', () => {
  test('keeps its scroll position, its tab and the loaded pages of its list', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register()
    const many = Array.from({ length: 45 }, (_, number) => ({ received: `${number + 1}`, asset: 'USDT' as const }))
    await postHistory(stack, member, many)
    await enter(member)
    await page.goto('/wallet')
    await visibleMain(page).getByRole('link', { name: /USDT/ }).first().click()
    const lines = visibleMain(page).getByRole('listitem')
    await expect.poll(() => lines.count()).toBeGreaterThan(15)
    const first = await lines.count()
    await visibleMain(page).evaluate((main) => main.scrollTo(0, main.scrollHeight))
    await expect.poll(() => lines.count()).toBeGreaterThan(first)
    const loaded = await lines.count()
    const left = await readScrollPosition(page)
    expect(left).toBeGreaterThan(300)

    await page.goBack()
    await expect(page).toHaveURL('/wallet')
    await page.goForward()
    await expect(page).toHaveURL('/wallet/detail?symbol=USDT')
    await expect.poll(() => readScrollPosition(page)).toBe(left)
    expect(await lines.count()).toBeGreaterThanOrEqual(loaded)
  })

  test('keeps its scroll position when its section is opened again', async ({ page, register, enter }) => {
    await enter(await register())
    await page.setViewportSize({ width: 390, height: 560 })
    await page.goto('/home')
    await expect(visibleMain(page).getByText('First login')).toBeAttached()
    await visibleMain(page).evaluate((main) => main.scrollTo(0, 260))
    await expect.poll(() => readScrollPosition(page)).toBe(260)
    for (const name of ['Wallet', 'Promote', 'Pledge', 'Team', 'Home'])
      await sections(page).getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL('/home')
    await expect.poll(() => readScrollPosition(page)).toBe(260)
  })

  for (const [from, link, other] of [
    ['/setting', 'Pool and plan', 'History'],
    ['/setting', 'Order records', 'Payment records'],
    ['/pledge', 'Records', 'Days'],
  ] as const)
    test(`“${link}” keeps the chosen tab`, async ({ page, register, enter }) => {
      await enter(await register())
      await page.goto(from)
      await page.getByRole('link', { name: link }).click()
      const tab = visibleMain(page).getByRole('radio', { name: other, exact: true })
      await tab.check()
      await page.getByRole('button', { name: 'Back' }).click()
      await expect(page).toHaveURL(from)
      await page.getByRole('link', { name: link }).click()
      await expect(tab).toBeChecked()
    })
})
