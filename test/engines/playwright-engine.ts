import { type BrowserContext, chromium, type LaunchOptions } from '@playwright/test'
import { installWallets, type MemberWallet } from '../browser/wallet.ts'
import type { RunningEngine } from './engine.ts'

/** Any Chromium that Playwright can drive. 103 is the oldest that was tested. `limit` takes functions away from it. */
export async function startChromium(
  options: LaunchOptions,
  wallet: MemberWallet,
  limit: (context: BrowserContext) => Promise<void> = async () => {},
): Promise<RunningEngine> {
  const browser = await chromium.launch(options)
  try {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-US' })
    await limit(context)
    await installWallets(context, [wallet])
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.stack || error.message))
    return {
      version: browser.version(),
      page: {
        open: async (url) => void (await page.goto(url)),
        run: (inPage, argument) => page.evaluate(inPage as never, argument),
        errors,
        screenshot: async (path) => void (await page.screenshot({ path })),
      },
      close: () => browser.close(),
    }
  } catch (error) {
    await browser.close()
    throw error
  }
}
