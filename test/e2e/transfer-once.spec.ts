import type { Page, Route } from '@playwright/test'
import { getAs, type Member } from '../browser/member.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { expect, test } from '../browser/test.ts'
import { FUND_PASSWORD, openTransferConfirmation, readStoredPresses, transferPage } from '../browser/transfer.ts'

const ordersOf = async (stack: BrowserStack, member: Member): Promise<number> =>
  (await getAs(stack, 'order/list', member, { type: '2' })).items.length

/** The pool receives the request, and its answer is lost. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch()
  await route.abort()
}

/** Presses the button and gets no answer. */
async function pressAndLoseAnswer(
  page: Page,
  onOrder: (route: Route) => Promise<void>,
  password = FUND_PASSWORD,
): Promise<void> {
  await openTransferConfirmation(page, 'USDT', '25')
  await page.route(ORDER, onOrder)
  await transferPage(page).password.fill(password)
  await transferPage(page).confirm.click()
  await expect(transferPage(page).sheet).toContainText('Still waiting.')
}

const ORDER = /\/api\/transfer\/order/

// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test.describe('one press makes one transfer', () => {
  test('even if the button is tapped twice', async ({ page, stack, enterHolding }) => {
    const member = await enterHolding()
    await openTransferConfirmation(page, 'USDT', '25')
    await transferPage(page).password.fill(FUND_PASSWORD)
    let posted = 0
    page.on('request', (asked) => {
      if (ORDER.test(asked.url())) posted += 1
    })
    await transferPage(page).confirm.evaluate((button: HTMLButtonElement) => {
      button.click()
      button.click()
      button.form?.requestSubmit()
    })
    await expect(page).toHaveURL(/\?id=/)
    expect(posted).toBe(1)
    expect(await ordersOf(stack, member)).toBe(1)
  })

  const troubles = {
    'the answer is lost': loseAnswer,
    'the pool fails': (route: Route) =>
      route.fulfill({ status: 500, json: { code: 500, message: '', data: null, reason: 'internal' } }),
    'a gateway answers in its place': (route: Route) =>
      route.fulfill({ status: 502, body: '<html>Bad gateway</html>' }),
  }
  for (const [trouble, answer] of Object.entries(troubles))
    test(`even if ${trouble}: the request is repeated with the same key until the outcome is known`, async ({
      page,
      stack,
      enterHolding,
    }) => {
      const member = await enterHolding()
      await openTransferConfirmation(page, 'USDT', '25')
      const keys: string[] = []
      await page.route(ORDER, (route) => {
        keys.push(route.request().postDataJSON().key)
        return keys.length <= 2 ? answer(route) : route.continue()
      })
      await transferPage(page).password.fill(FUND_PASSWORD)
      await transferPage(page).confirm.click()
      await expect(transferPage(page).sheet).toContainText('it can’t go through twice')
      const [stored] = await readStoredPresses(page)
      expect(stored).toMatchObject({ key: keys[0], symbol: 'USDT', amount: '25' })
      expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(FUND_PASSWORD)
      await expect(page).toHaveURL(/\?id=/, { timeout: 10_000 })
      expect(keys.length).toBe(3)
      expect(new Set(keys).size).toBe(1)
      expect(await readStoredPresses(page)).toEqual([])
      expect(await ordersOf(stack, member)).toBe(1)
    })

  test('even if the network is lost, and continues when it is back', async ({ page, context, stack, enterHolding }) => {
    const member = await enterHolding()
    await openTransferConfirmation(page, 'USDT', '25')
    await transferPage(page).password.fill(FUND_PASSWORD)
    await context.setOffline(true)
    await transferPage(page).confirm.click()
    await expect(transferPage(page).sheet).toContainText('Still waiting.')
    await context.setOffline(false)
    await expect(page).toHaveURL(/\?id=/, { timeout: 10_000 })
    expect(await ordersOf(stack, member)).toBe(1)
  })

  test('even if the pool does not answer in time', async ({ page, stack, enterHolding }) => {
    const member = await enterHolding()
    await page.clock.install()
    await openTransferConfirmation(page, 'USDT', '25')
    let asked = 0
    await page.route(ORDER, async (route) => {
      asked += 1
      if (asked > 1) return route.continue()
      await route.fetch()
    })
    await transferPage(page).password.fill(FUND_PASSWORD)
    await transferPage(page).confirm.click()
    await expect.poll(() => asked).toBe(1)
    await page.clock.fastForward('01:01')
    await expect(transferPage(page).sheet).toContainText('Still waiting.')
    await page.clock.runFor(1_500)
    await expect(page).toHaveURL(/\?id=/)
    expect(await ordersOf(stack, member)).toBe(1)
  })
})

test.describe('after a reload without an answer to the press', () => {
  test('the transfer is found in the pool’s list', async ({ page, stack, enterHolding }) => {
    const member = await enterHolding()
    await pressAndLoseAnswer(page, loseAnswer)
    await page.reload()
    await expect(page.getByText('Your transfer of 25 USDT was placed.')).toBeVisible()
    await page.getByRole('button', { name: 'View' }).click()
    await expect(transferPage(page).step('Requested')).toBeVisible()
    expect(await readStoredPresses(page)).toEqual([])
    expect(await ordersOf(stack, member)).toBe(1)
  })

  test('a transfer that did not reach the pool can be sent again with the same key', async ({
    page,
    stack,
    enterHolding,
  }) => {
    const member = await enterHolding()
    const keys: string[] = []
    page.on('request', (asked) => {
      if (ORDER.test(asked.url())) keys.push(asked.postDataJSON().key)
    })
    await pressAndLoseAnswer(page, (route) => route.abort())
    await page.reload()
    await expect(page.getByText('It is not in your records so far')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect(transferPage(page).sheet).toContainText(
      'This resends your earlier request. It can’t go through twice.',
    )
    await expect(transferPage(page).password).toHaveValue('')
    await transferPage(page).password.fill(FUND_PASSWORD)
    await transferPage(page).confirm.click()
    await expect(page).toHaveURL(/\?id=/)
    expect(new Set(keys).size).toBe(1)
    expect(await ordersOf(stack, member)).toBe(1)
  })

  test('entering the same transfer again repeats the press, and makes no second transfer', async ({
    page,
    stack,
    enterHolding,
  }) => {
    const member = await enterHolding()
    // The list cannot be read for now. A member who cannot see the first transfer would press again.
    await page.route(/order\/list/, (route) => route.abort())
    await pressAndLoseAnswer(page, loseAnswer)
    await page.reload()
    await page.unroute(ORDER)
    await transferPage(page).amount.fill('25.0')
    await transferPage(page).submit.click()
    await transferPage(page).password.fill(FUND_PASSWORD)
    await transferPage(page).confirm.click()
    await expect(page).toHaveURL(/\?id=/)
    expect(await ordersOf(stack, member)).toBe(1)
  })

  test('a press with a wrong password does not block one with the right password', async ({
    page,
    stack,
    enterHolding,
  }) => {
    const member = await enterHolding()
    await pressAndLoseAnswer(page, loseAnswer, 'wrong1')
    await page.reload()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Send again' }).click()
    await transferPage(page).password.fill(FUND_PASSWORD)
    await transferPage(page).confirm.click()
    await expect(page).toHaveURL(/\?id=/)
    expect(await ordersOf(stack, member)).toBe(1)
  })

  test('a press can be discarded only after two minutes, when it surely did not reach the pool', async ({
    page,
    stack,
    enterHolding,
  }) => {
    const member = await enterHolding()
    await page.clock.install()
    await pressAndLoseAnswer(page, (route) => route.abort())
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByText('It is not in your records so far')).toBeVisible()
    const discard = page.getByRole('button', { name: 'Give up' })
    await expect(discard).toHaveCount(0)
    await page.clock.runFor(130_000)
    await expect(page.getByText('did not reach the pool. Nothing was debited.')).toBeVisible()
    await expect(page.getByText('Transfer failed, please try again later')).toBeVisible()

    // After it was sent again, it may still arrive.
    await page.getByRole('button', { name: 'Send again' }).click()
    await transferPage(page).password.fill(FUND_PASSWORD)
    await transferPage(page).confirm.click()
    await expect(transferPage(page).sheet).toContainText('Still waiting.')
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByText('It is not in your records so far')).toBeVisible()
    await expect(discard).toHaveCount(0)
    await page.clock.runFor(130_000)
    await discard.click()
    await expect(page.getByText('did not reach the pool')).toHaveCount(0)
    expect(await readStoredPresses(page)).toEqual([])
    expect(await ordersOf(stack, member)).toBe(0)
  })
})
