import type { Page } from '@playwright/test'

/**
 * How long a text stays on a button or a toast, in milliseconds. Measured inside the page, because on a busy machine an
 * outside observer could see it too late or not at all. Call it before the page is opened.
 */
export async function measureShownTime(page: Page, text: string): Promise<() => Promise<number>> {
  await page.addInitScript((wanted) => {
    let since: number | undefined
    new MutationObserver(() => {
      const shown = Array.from(document.querySelectorAll('button, h2')).some(
        ({ textContent }) => textContent === wanted,
      )
      if (shown) since ??= performance.now()
      else if (since !== undefined) window.lasted ??= performance.now() - since
    }).observe(document, { childList: true, subtree: true, characterData: true })
  }, text)
  return async () => {
    await page.waitForFunction(() => window.lasted !== undefined)
    return Number(await page.evaluate(() => window.lasted))
  }
}
