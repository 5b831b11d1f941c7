import type { Page } from '@playwright/test'
import { patchAnswer } from '../browser/api-answers.ts'
import { withAnimations } from '../browser/appearance.ts'
import { mockGrownPool } from '../browser/home-screens.ts'
import { expectHome } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

test.use(withAnimations)

/** Counts how often the browser requests the page itself, from now on. */
function countLoads(page: Page): { count: number } {
  const loads = { count: 0 }
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads.count += 1
  })
  return loads
}

test.describe('the app shell', () => {
  test('draws nothing before the address is settled and its page is loaded', async ({ page }) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let isAsked = false
    await page.route(/\/assets\/sign-in-[^/]+\.js$/, async (route) => {
      isAsked = true
      await held
      await route.continue()
    })
    // A page behind the sign-in: without a session it leads to the login.
    await page.goto('/promotion', { waitUntil: 'commit' })
    await expect.poll(() => isAsked).toBe(true)
    await expect(page).toHaveURL(/\/login$/)
    expect(await page.locator('#root').innerHTML()).toBe('')
    release()
    await expect(page.getByRole('button', { name: 'Connect wallet' })).toBeVisible()
  })

  test('shows the sign of a toast above its words, for a success and for an error', async ({
    page,
    context,
    stack,
    register,
    enter,
  }) => {
    const toast = page.locator('[role=region][aria-live] [data-type]').filter({ has: page.locator('svg') })
    const layout = () =>
      toast.first().evaluate((shown) => {
        const [sign, words] = [shown.querySelector('svg'), shown.querySelector('h2')].map((part) =>
          part?.getBoundingClientRect(),
        )
        if (!sign || !words) throw new Error('the toast has no sign or no words')
        return {
          isAbove: sign.bottom <= words.top,
          fromCenter: Math.abs(sign.left + sign.right - words.left - words.right) / 2,
        }
      })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.origin })
    await enter(await register())
    await page.goto('/share')
    await page.getByRole('button', { name: /^Copy/ }).first().click()
    await expect(toast.first()).toHaveAttribute('data-type', 'success')
    const success = await layout()

    await patchAnswer(page, 'promotion/overview', (data) => ({ ...data, thanksgiving: { expert: true, pending: '5' } }))
    await page.goto('/promotion/reward')
    await page.getByRole('button', { name: 'Claim 5 USDT' }).click()
    await expect(toast.first()).toHaveAttribute('data-type', 'error')
    for (const { isAbove, fromCenter } of [success, await layout()]) {
      expect(isAbove).toBe(true)
      expect(fromCenter).toBeLessThanOrEqual(1)
    }
  })

  test('shows an unknown page as 404, with a link back', async ({ page, register, enter }) => {
    const member = await register()
    await enter(member)
    await page.goto('/nowhere')
    await expect(page.getByRole('heading', { name: 'No vein here' })).toBeVisible()
    await page.getByRole('button', { name: 'Back to home' }).click()
    await expectHome(page, member.account.address)
  })

  test('keeps /home with its scroll position', async ({ page, register, enter }) => {
    await enter(await register())
    // A low window, so that the page can scroll.
    await page.setViewportSize({ width: 390, height: 480 })
    await page.goto('/home')
    const since = page.getByText('Member since')
    await expect(page.getByText('First login')).toBeVisible()
    const place = () =>
      page.evaluate(
        () => Array.from(document.querySelectorAll('main')).find((main) => main.checkVisibility())?.scrollTop,
      )
    await page.evaluate(() => document.querySelector('main')?.scrollTo(0, 120))
    await expect.poll(place).toBe(120)
    await page.evaluate(() => document.querySelector('main')?.setAttribute('data-same', 'yes'))

    await page.getByRole('link', { name: 'Open setting' }).click()
    await expect(page.getByRole('heading', { name: 'Setting' })).toBeVisible()
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(since).toBeVisible()
    await expect.poll(place).toBe(120)
    await expect(page.locator('main[data-same=yes]'), 'the very same view, not a new one').toBeVisible()
  })

  test('does not scroll when an element of a page is scrolled into view', async ({ page, register, enter }) => {
    await mockGrownPool(page)
    await enter(await register())
    await page.goto('/home')
    const pool = page.getByRole('heading', { name: 'Owed and held' })
    await page.getByText('Production of').waitFor()
    await pool.evaluate((heading) => heading.scrollIntoView())
    await expect(pool).toBeInViewport()
    const bar = await page.getByRole('navigation', { name: 'Main sections' }).boundingBox()
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(page.viewportSize()?.height)
  })

  test('has a tab for each of the five main pages, and opens the settings from the avatar', async ({
    page,
    register,
    enter,
  }) => {
    await enter(await register())
    await page.goto('/home')
    for (const [name, path] of [
      ['Wallet', '/wallet'],
      ['Promote', '/promotion'],
      ['Pledge', '/pledge'],
      ['Team', '/teams'],
      ['Home', '/home'],
    ] as const) {
      const tab = page.getByRole('navigation', { name: 'Main sections' }).getByRole('link', { name, exact: true })
      await tab.click()
      await expect(page).toHaveURL(path)
      await expect(tab).toHaveAttribute('aria-current', 'page')
    }
    await page.getByRole('link', { name: 'Open setting' }).click()
    await expect(page).toHaveURL('/setting')
  })

  test('links to profile, fund password, records, notices and help in the settings', async ({
    page,
    register,
    enter,
  }) => {
    await enter(await register())
    await page.goto('/setting')
    for (const card of ['Profile', 'Fund password'])
      await expect(page.getByRole('heading', { name: card, exact: true })).toBeVisible()
    for (const [name, title] of [
      ['Order records', 'Records'],
      ['Payment records', 'Records'],
      ['Notices', 'Notices'],
      ['Help center', 'Help center'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Settings pages' }).getByRole('link', { name }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
      await page.getByRole('button', { name: 'Back' }).click()
      await expect(page).toHaveURL('/setting')
    }
  })

  test('says when the network is lost, and when it is back', async ({ page, context, register, enter }) => {
    const member = await register()
    await enter(member)
    await page.goto('/home')
    await expectHome(page, member.account.address)
    await context.setOffline(true)
    await expect(page.getByText('You are offline.')).toBeVisible()
    await expect(page.getByRole('main')).toContainText(/L0/)
    await context.setOffline(false)
    await expect(page.getByText('You are offline.')).toBeHidden()
  })

  test('reloads once when a script is missing on the server, and shows the page', async ({ page, register, enter }) => {
    await enter(await register())
    const loads = countLoads(page)
    // A new version replaces the old one while the page is open: only the old files are missing.
    await page.route(/\/assets\/setting-[^/]+\.js$/, (route) =>
      loads.count === 1 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    )
    await page.goto('/home')
    await page.getByRole('link', { name: 'Open setting' }).click()
    await expect(page.getByRole('heading', { name: 'Setting' })).toBeVisible()
    expect(loads.count).toBe(2)
  })

  test('shows an error if the script is still missing, and does not reload again', async ({
    page,
    register,
    enter,
  }) => {
    await enter(await register())
    const loads = countLoads(page)
    await page.route(/\/assets\/setting-[^/]+\.js$/, (route) => route.fulfill({ status: 404, body: '' }))
    await page.goto('/home')
    await page.getByRole('link', { name: 'Open setting' }).click()
    await expect(page.getByRole('heading', { name: 'Page initialization failed' })).toBeVisible()
    await page.waitForTimeout(1_000)
    expect(loads.count).toBe(2)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Setting' })).toBeVisible()
  })

  test('reloads once when the script of a sheet is missing, and can then open the sheet', async ({ page }) => {
    const loads = countLoads(page)
    await page.route(/\/assets\/NoWallet-[^/]+\.js$/, (route) =>
      loads.count === 1 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
    )
    await page.goto('/login')
    const connect = page.getByRole('button', { name: 'Connect wallet' })
    await connect.click()
    await expect.poll(() => loads.count).toBe(2)
    await connect.click()
    await expect(page.getByRole('dialog', { name: 'No wallet in this browser' })).toBeVisible()
    expect(loads.count).toBe(2)
  })

  test('shows an error if the sheet is still missing, and can be retried', async ({ page }) => {
    const loads = countLoads(page)
    await page.route(/\/assets\/NoWallet-[^/]+\.js$/, (route) => route.fulfill({ status: 404, body: '' }))
    await page.goto('/login')
    const connect = page.getByRole('button', { name: 'Connect wallet' })
    await connect.click()
    await expect.poll(() => loads.count).toBe(2)
    await connect.click()
    await expect(page.getByRole('heading', { name: 'This page failed' })).toBeVisible()
    await page.waitForTimeout(1_000)
    expect(loads.count).toBe(2)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await connect.click()
    await expect(page.getByRole('dialog', { name: 'No wallet in this browser' })).toBeVisible()
  })

  test('stays on the page and shows an error if a new page cannot be loaded offline', async ({
    page,
    context,
    register,
    enter,
    messages,
  }) => {
    const member = await register()
    await enter(member)
    await page.goto('/home')
    await expectHome(page, member.account.address)
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Open setting' }).click()
    await expect.poll(() => messages).toEqual(['Navigate page failed'])
    await expectHome(page, member.account.address)
  })

  test('shows errors in the current language', async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(/\/api\/account\/profile/, (route) => route.fulfill({ status: 403, json: {} }))
    await page.goto('/home')
    const main = page.getByRole('main')
    await expect(main).toContainText('Access denied')
    await page.getByRole('link', { name: 'Open setting' }).click()
    await expect(main).toContainText('Access denied')
    await page.getByRole('radio', { name: '简体中文' }).check()
    await expect(main).toContainText('拒绝访问')
    await page.goBack()
    await expect(main).toContainText('拒绝访问')
  })

  test('fills a phone and is a column on a tablet', async ({ page }) => {
    await page.goto('/login')
    const width = () => page.evaluate(() => document.querySelector('main')?.getBoundingClientRect().width)
    await expect.poll(width).toBe(390)
    await page.setViewportSize({ width: 800, height: 900 })
    await expect.poll(width).toBe(430)
  })

  test('allows zooming', async ({ page }) => {
    await page.goto('/login')
    const viewport = await page.locator('meta[name=viewport]').getAttribute('content')
    expect(viewport).not.toMatch(/user-scalable|maximum-scale/)
  })

  test('has a title for each page', async ({ page, register, enter }) => {
    await page.goto('/login')
    await expect(page).toHaveTitle('Sign in · Lode')
    await enter(await register())
    await page.goto('/home')
    await expect(page).toHaveTitle('Home · Lode')
  })
})
