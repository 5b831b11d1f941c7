import { expect, type Locator, type Page, test } from '@playwright/test'
import { signInAs } from './browser.ts'
import { cast, type Role, type RoleName } from './cast.ts'
import { webOrigin } from './dev-stack.ts'

/** The disabled account may not pay. The new one would have to accept the risks first, which would change the demo. */
const paying: readonly Role[] = cast.filter(({ name }) => name !== 'disabled' && name !== 'new')

const sheet = (page: Page): Locator => page.getByRole('dialog')

for (const { name, hasUnlimitedAllowance } of paying) {
  test(`the ${name} account can begin a deposit of USDT and of BTN`, async ({ page }) => {
    await signInAs(page, name as RoleName)
    for (const symbol of ['USDT', 'BTN']) {
      await page.goto(`${webOrigin()}/wallet/detail?symbol=${symbol}`)
      await page.getByRole('button', { name: 'Deposit', exact: true }).click()
      await sheet(page).getByRole('textbox').fill('50')
      await expect(sheet(page)).toContainText(/In your wallet: [\d,.]{5,}\s/)
      await expect(sheet(page).getByRole('button', { name: `Deposit 50 ${symbol}` })).toBeEnabled()
      const allowed = sheet(page).getByText('This amount is already approved')
      await expect(allowed).toHaveCount(hasUnlimitedAllowance ? 1 : 0)
    }
  })
}
