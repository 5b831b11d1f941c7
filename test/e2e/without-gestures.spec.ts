import { screens } from '../browser/screens.ts'
import { expect, test } from '../browser/test.ts'
import { transferPage } from '../browser/transfer.ts'

// A screen may still be reading when its test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

/** What members can do and see who cannot pull a page, read a toast in two seconds, or tell colors. */

for (const [screen, read] of [
  ['home', 'account/profile'],
  ['net', 'team/net'],
  ['transfer-form', 'transfer/terms'],
  ['transfer-arrived', 'order/detail'],
] as const)
  test(`${screen} is refreshed with a button`, async ({ tools }) => {
    await screens[screen]?.(tools)
    const refreshed = tools.page.waitForResponse(new RegExp(`/api/${read}`))
    await tools.page.locator('main:visible, header:visible').getByRole('button', { name: 'Refresh' }).last().click()
    await refreshed
  })

test('why a transfer could not be canceled stays beside the button', async ({ page, tools, toasts }) => {
  await screens['transfer-held']?.(tools)
  const refusal = { code: 409, message: '', data: null, reason: 'order-completed' }
  await page.route(/transfer\/cancel/, (route) => route.fulfill({ status: 409, json: refusal }))
  await transferPage(page).cancel.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel transfer' }).click()
  const reason = 'It is already signed and on its way, so it can no longer be canceled.'
  await expect.poll(() => toasts).toContain(reason)
  await expect(page.getByRole('region').getByText(reason)).toHaveCount(0, { timeout: 10_000 })
  await expect(transferPage(page).main.getByText(reason)).toBeVisible()
})

test('with forced colors, bars and the chosen option are visible', async ({ page, tools }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await screens.home?.(tools)
  const colors = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).backgroundColor))
  const ground = (await colors('body'))[0]
  const bars = await colors('main [style*=block-size]')
  expect(bars.length).toBeGreaterThan(3)
  expect(bars).not.toContain(ground)

  await screens['transfer-form']?.(tools)
  const chosen = await colors('main label:has(input[type=radio]:checked)')
  expect(chosen).toHaveLength(1)
  expect(await colors('main label:has(input[type=radio]:not(:checked))')).not.toContain(chosen[0])
})

test('the chart can be read as a table', async ({ page, tools }) => {
  await screens.home?.(tools)
  const table = page.getByRole('table', { name: 'Productions' })
  await expect(table).toBeHidden()
  await page.getByText('Figures of these days').click()
  expect(await table.getByRole('row').count()).toBeGreaterThan(10)
})

test('a failed payment is announced once', async ({ page, tools }) => {
  await screens['deposit-failed']?.(tools)
  const said = (await page.getByRole('dialog').getByRole('status').allTextContents()).filter((text) => text !== '')
  expect(said).toHaveLength(1)
})
