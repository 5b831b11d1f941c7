import type { Page } from '@playwright/test'

/** Lets the app come back to the front after a while, when it asks by itself for what it shows. Needs the page's own clock. */
export async function comeBackLater(page: Page, after = '00:31'): Promise<void> {
  await page.clock.fastForward(after)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
}
