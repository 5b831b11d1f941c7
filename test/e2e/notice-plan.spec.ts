import type { Locator, Page } from '@playwright/test'
import { publishPlanWithFee } from '../browser/notices.ts'
import { expect, test } from '../browser/own-stack.ts'
import { visibleMain } from '../browser/views.ts'

// Uses its own stack, because a new plan version would make other tests' orders fail.
test.describe.configure({ mode: 'default' })
test.use({ onlyFor: 'notice-plan' })

const bell = (page: Page): Locator => page.getByRole('banner').getByRole('link', { name: /^Notices/ })

test.describe('notices', () => {
  test('are created automatically for a plan that makes leaving harder, and for its withdrawal', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register()
    await publishPlanWithFee(stack, '2')
    await enter(member)
    await page.goto('/home')
    await expect(bell(page)).toHaveAccessibleName('Notices, 1 unread')
    await visibleMain(page)
      .getByRole('link', { name: /^Unread: From .+: stricter terms for taking assets out$/ })
      .click()
    await expect(
      visibleMain(page).getByText(/^Plan version \d+ starts on .+ Until then the current terms apply/),
    ).toBeVisible()
    await expect(visibleMain(page).locator('dt')).toHaveText(['Transfer out of USDT: Fee'])
    await expect(visibleMain(page).locator('dd')).toHaveText(['from 1\u00a0USDT to 2\u00a0USDT'])
    await publishPlanWithFee(stack, '1')
    await page.reload()
    await expect(visibleMain(page)).toContainText(/Plan version \d+ was withdrawn/)
    await expect(visibleMain(page).getByText(/never took effect/)).toBeVisible()
  })
})
