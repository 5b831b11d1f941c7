import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from '../browser/test.ts'

/** "Slow 3G" of the browser's developer tools: 400 kbit/s, and a latency of 400 ms. */
async function slow3G(context: BrowserContext, page: Page): Promise<void> {
  const tools = await context.newCDPSession(page)
  await tools.send('Network.enable')
  const [latency, throughput] = [400, 50_000]
  await tools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
}

test.describe('on a slow network', () => {
  test.slow()

  test('a wallet can be chosen within 15 seconds', async ({ page, context, giveWallet }) => {
    await giveWallet()
    await slow3G(context, page)
    await page.goto('/login', { waitUntil: 'commit' })
    await expect(page.getByRole('button', { name: 'Continue with Plain Wallet' })).toBeVisible({ timeout: 15_000 })
  })

  test('a page is shown before its figures, which appear automatically', async ({ page, context, enterHolding }) => {
    await enterHolding({ USDT: '500' })
    await slow3G(context, page)
    // The reads begin before the app's code is loaded, so only a slow server is slower than that.
    let deliver = () => {}
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve
    })
    await page.route(/\/api\/account\/(?:profile|home)/, async (route) => {
      await delivered
      await route.continue()
    })
    await page.goto('/home', { waitUntil: 'commit' })
    await expect(page.getByRole('navigation', { name: 'Main sections' })).toBeVisible({ timeout: 20_000 })
    await expect(page.getByRole('main')).toContainText('Loading')
    deliver()
    await expect(page.getByRole('main')).toContainText('500.00', { timeout: 20_000 })
  })

  test('the old page stays until the requested page is loaded', async ({ page, context, register, enter }) => {
    await enter(await register())
    await page.goto('/home')
    await expect(page.getByText('First login')).toBeAttached()
    await slow3G(context, page)
    await page.getByRole('link', { name: 'Open setting' }).click()
    await expect(page.getByRole('heading', { name: 'Home' })).toBeAttached()
    await expect(page.getByRole('heading', { name: 'Setting' })).toBeVisible({ timeout: 20_000 })
  })

  test('a tapped tab says that its page is loading', async ({ page, context, register, enter }) => {
    await enter(await register())
    await page.goto('/home')
    await expect(page.getByText('First login')).toBeAttached()
    await slow3G(context, page)
    const tab = page.getByRole('navigation', { name: 'Main sections' }).getByRole('link', { name: 'Team' })
    await tab.click()
    await expect(tab).toHaveAttribute('aria-busy', 'true')
    await expect(tab).toHaveAttribute('aria-current', 'page', { timeout: 20_000 })
    await expect(tab).toHaveAttribute('aria-busy', 'false')
  })
})
