import type { Page } from '@playwright/test'

/**
 * Brings the app back to the foreground after a while, when it refreshes its data by itself. Needs a mocked page clock.
 */
export async function returnToForeground(page: Page, after = '00:31'): Promise<void> {
  await page.clock.fastForward(after)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
}
