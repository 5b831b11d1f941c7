import { expect, type Locator, type Page, test } from '@playwright/test'
import { signInAs, webOrigin } from './browser.ts'
import { cast, type Role, type RoleName } from './cast.ts'

const paying: readonly Role[] = cast.filter(({ name }) => name !== 'disabled')

const sheet = (page: Page): Locator => page.getByRole('dialog')

for (const { name, hasUnlimitedAllowance } of paying) {
  test(`the ${name} account can begin a deposit of USDT and of BTN`, async ({ page }) => {
    await signInAs(page, name as RoleName)
    for (const symbol of ['USDT', 'BTN']) {
      await page.goto(`${webOrigin()}/wallet/detail?symbol=${symbol}`)
      await page
        .locator('main:visible')
        .getByRole('button', { name: 'Deposit' })
        .or(page.getByRole('button', { name: 'Deposit' }))
        .first()
        .click()
      await sheet(page).getByRole('textbox').fill('50')
      await expect(sheet(page)).toContainText(/In your wallet: [\d,.]{5,} /)
      const button = sheet(page).getByRole('button', { name: `Deposit 50 ${symbol}` })
      await expect(button).toBeEnabled()
      const allowed = sheet(page).getByText('The vault may already take this much')
      await expect(allowed).toHaveCount(hasUnlimitedAllowance ? 1 : 0)
    }
  })
}
