import type { Page } from '@playwright/test'
import { patchAnswer } from '../browser/api-answers.ts'
import { homeScreens } from '../browser/home-screens.ts'
import { withIncome } from '../browser/income-screens.ts'
import { withFullStatement } from '../browser/statement-screens.ts'
import { expect, test } from '../browser/test.ts'

// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const readStyles = (elements: readonly Element[]) => elements.map((element) => element.getAttribute('style'))

/** All that a reader or a screen reader gets from the page. */
async function textOf(page: Page): Promise<string> {
  const main = page.locator('main:visible')
  await expect(main).toContainText('hidden')
  return `${await main.textContent()} ${await main.ariaSnapshot()}`
}

test('one button hides the member’s own amounts on every page, until it is pressed again', async ({ page, tools }) => {
  await homeScreens['home-collect']?.(tools)
  await patchAnswer(page, 'account/income', withIncome)
  await patchAnswer(page, 'wallet/statement', withFullStatement)
  const sent = { tx: `0x${'ab'.repeat(32)}`, amount: '77.7', at: new Date().toISOString() }
  await patchAnswer(page, 'wallet/sent', (data) => ({ ...data, items: [{ ...data.items[0], ...sent }] }))
  const main = page.locator('main:visible')
  await expect(main).toContainText('462.71')
  await expect(main).toContainText('0.00041872')
  await page.getByRole('button', { name: 'Hide amounts' }).click()
  const home = await textOf(page)
  for (const own of ['462.71', '229.5', '0.00418721', '0.00041872', '1,330', '0.0005214'])
    expect(home, `${own} on the home page`).not.toContain(own)
  // The words for a screen reader, beside the dots.
  await expect(main.getByRole('listitem').filter({ hasText: 'dividends' }).first()).toContainText('hidden BTC')
  // What the pool holds is public.
  expect(home).toContain('1,802,642')

  for (const [path, own] of [
    ['/wallet', ['1,210', '1,330', '132,400', '0.00418721']],
    ['/wallet/detail?symbol=USDT', ['1,210', '1,330', '80.00', '77.7']],
    ['/wallet/income', ['144.36', '1,000.00', '0.00145174', '31.00']],
    ['/wallet/statement', ['1,810.50', '1,394.50', '383.21']],
  ] as const) {
    await page.goto(path)
    const text = await textOf(page)
    for (const amount of own) expect(text, `${amount} at ${path}`).not.toContain(amount)
    // The font size depends on the number of characters, which would tell how large an amount is. A hidden amount always
    // counts as four dots, with or without a symbol.
    for (const style of await main.locator('[style*="--characters"]').evaluateAll(readStyles))
      expect(style, path).toMatch(/--characters: (?:4|8|9)\b/)
  }
  await main.getByRole('button', { name: 'Show amounts' }).click()
  await expect(main).toContainText('1,810.50')
  await page.goto('/home')
  await expect(main).toContainText('462.71')
})
