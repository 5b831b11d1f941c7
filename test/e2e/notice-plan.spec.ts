import type { Locator, Page } from '@playwright/test'
import { publishFee } from '../browser/notices.ts'
import { expect, test } from '../browser/own-stack.ts'

// Uses its own stack, because a new plan version would make other tests' orders fail.
test.describe.configure({ mode: 'default' })
test.use({ onlyFor: 'notice-plan' })

const shown = (page: Page): Locator => page.locator('main:visible')
const bell = (page: Page): Locator => page.getByRole('banner').getByRole('link', { name: /^Notices/ })

test.describe('notices', () => {
  test('tell of a plan that makes leaving harder by themselves, and of its being taken back', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    // Four signatures, each with a passphrase that is slow to decrypt on purpose.
    test.setTimeout(120_000)
    const member = await register()
    await publishFee(stack, '2')
    await enter(member)
    await page.goto('/home')
    await expect(bell(page)).toHaveAccessibleName('Notices, 1 unread')
    await shown(page)
      .getByRole('link', { name: /^Unread: From .+ it becomes harder to take assets out$/ })
      .click()
    await expect(
      shown(page).getByText(/^Version \d+ of the plan starts on .+ Until then the present terms hold/),
    ).toBeVisible()
    await expect(shown(page).locator('dt')).toHaveText(['Transfer out of USDT: Fee'])
    await expect(shown(page).locator('dd')).toHaveText(['from 1\u00a0USDT to 2\u00a0USDT'])
    await publishFee(stack, '1')
    await page.reload()
    await expect(shown(page)).toContainText(/Version \d+ of the plan was taken back/)
    await expect(shown(page).getByText(/never came into force/)).toBeVisible()
  })
})
