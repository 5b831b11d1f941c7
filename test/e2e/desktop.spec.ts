import type { Locator, Page } from '@playwright/test'
import { createTeam } from '../browser/team.ts'
import { expect, test } from '../browser/test.ts'
import { visibleMain } from '../browser/views.ts'

test.use({ viewport: { width: 1280, height: 800 } })
// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const sections = (page: Page): Locator => page.getByRole('navigation', { name: 'Main sections' })
const sectionLink = (page: Page, name: string): Locator => sections(page).getByRole('link', { name })

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not drawn')
  return box
}

test.describe('in a window of 1024 pixels or more', () => {
  test('the navigation is at the side of every page, with notices and settings', async ({ page, enter, register }) => {
    await enter(await register())
    await page.goto('/home')
    for (const [name, path] of [
      ['Wallet', '/wallet'],
      ['Promote', '/promotion'],
      ['Pledge', '/pledge'],
      ['Team', '/teams'],
      ['Home', '/home'],
    ] as const) {
      await sectionLink(page, name).click()
      await expect(page).toHaveURL(path)
      await expect(sectionLink(page, name)).toHaveAttribute('aria-current', 'page')
    }
    const more = page.getByRole('navigation', { name: 'Notices and settings' })
    await more.getByRole('link', { name: 'Notices' }).click()
    await expect(page).toHaveURL('/setting/notice')
    await expect(more.locator('[aria-current]')).toHaveText(/^Notices/)
    // On a phone this page has no navigation.
    await expect(sections(page)).toBeVisible()
    await more.getByRole('link', { name: 'Setting' }).click()
    await expect(page).toHaveURL('/setting')
    const [side, main] = [await boxOf(sections(page)), await boxOf(visibleMain(page))]
    expect(side.x + side.width).toBeLessThanOrEqual(main.x)
  })

  for (const width of [1024, 1280, 1920])
    test(`at ${width} pixels the main pages have two columns, and nothing is cut off`, async ({
      page,
      enterHolding,
    }) => {
      await enterHolding()
      await page.setViewportSize({ width, height: 800 })
      for (const [path, first, second] of [
        ['/home', 'First steps', 'The pool'],
        ['/promotion', 'Levels', 'Your results so far'],
        ['/setting', 'Profile', 'Fund password'],
      ] as const) {
        await page.goto(path)
        const [left, right] = [first, second].map((name) =>
          visibleMain(page).getByRole('heading', { name, level: 2, exact: true }),
        )
        if (!left || !right) throw new Error('The headings are named above')
        await expect(left).toBeVisible()
        const [leftBox, rightBox] = [await boxOf(left), await boxOf(right)]
        expect(rightBox.x, path).toBeGreaterThan(leftBox.x + leftBox.width)
        expect(rightBox.y, path).toBeLessThan(600)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      }
    })

  test('the net shows one more layer, whose members can be opened', async ({ page, stack, register, enter }) => {
    const member = await register()
    await createTeam(stack, member, { invited: 50, activatedEvery: 3 })
    await enter(member)
    await page.goto('/teams/maps')
    // The three areas below the member, and the three below each of their heads.
    const areas = visibleMain(page).getByRole('list', { name: 'Areas' })
    await expect(areas).toHaveCount(4)
    await areas
      .nth(1)
      .getByRole('button', { name: /^Center/ })
      .click()
    await expect(visibleMain(page)).toContainText('Layer 2, Center')
  })

  test('a sheet stands in the middle, and Escape closes it', async ({ page, enterWith }) => {
    await enterWith({ USDT: '100' })
    await page.goto('/home')
    await page.getByRole('button', { name: 'Deposit', exact: true }).click()
    const sheet = page.getByRole('dialog')
    await expect(sheet).toBeVisible()
    await expect
      .poll(async () => {
        const { x, y, width, height } = await boxOf(sheet)
        return [Math.abs(x + width / 2 - 640) < 2, Math.abs(y + height / 2 - 400) < 2]
      })
      .toEqual([true, true])
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
  })

  test('a window that becomes narrow has the navigation of a phone, and the page keeps its state', async ({
    page,
    enter,
    register,
  }) => {
    await enter(await register())
    await page.goto('/pledge')
    const quantity = page.getByRole('textbox', { name: /Quantity/ })
    await quantity.fill('12345')
    await page.setViewportSize({ width: 390, height: 844 })
    const [bar, main] = [await boxOf(sections(page)), await boxOf(visibleMain(page))]
    expect(bar.y).toBeGreaterThanOrEqual(main.y + main.height)
    await expect(quantity).toHaveValue('12345')
    await expect(page.getByRole('navigation', { name: 'Notices and settings' })).toBeHidden()
  })

  test('the sign-in page has no navigation and the width of a phone', async ({ page, giveWallet }) => {
    await giveWallet()
    await page.goto('/login')
    const button = page.getByRole('button', { name: /Continue with/ })
    await expect(button).toBeVisible()
    await expect(sections(page)).toBeHidden()
    expect((await boxOf(button)).width).toBeLessThanOrEqual(430)
  })
})
