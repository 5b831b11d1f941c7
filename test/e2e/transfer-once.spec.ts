import type { Page, Route } from '@playwright/test'
import { askFor, type Member } from '../browser/member.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { expect, test } from '../browser/test.ts'
import { PASSWORD, propose, storedPresses, transfer } from '../browser/transfer.ts'

const ordersOf = async (stack: BrowserStack, member: Member): Promise<number> =>
  (await askFor(stack, 'order/list', member, { type: '2' })).items.length

/** The pool receives the request, and its answer is lost. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch()
  await route.abort()
}

/** Presses the button and gets no answer. */
async function pressUnheard(page: Page, onOrder: (route: Route) => Promise<void>, password = PASSWORD): Promise<void> {
  await propose(page, 'USDT', '25')
  await page.route(ORDER, onOrder)
  await transfer(page).password.fill(password)
  await transfer(page).confirm.click()
  await expect(transfer(page).sheet).toContainText('No answer yet.')
}

const ORDER = /\/api\/transfer\/order/

// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test.describe('one press is one transfer', () => {
  test('also where it is tapped twice', async ({ page, stack, enterHolding }) => {
    const member = await enterHolding()
    await propose(page, 'USDT', '25')
    await transfer(page).password.fill(PASSWORD)
    let posted = 0
    page.on('request', (asked) => {
      if (ORDER.test(asked.url())) posted += 1
    })
    await transfer(page).confirm.evaluate((button: HTMLButtonElement) => {
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
    test(`also where ${trouble}: the same key is asked again until it is known what came of it`, async ({
      page,
      stack,
      enterHolding,
    }) => {
      const member = await enterHolding()
      await propose(page, 'USDT', '25')
      const keys: string[] = []
      await page.route(ORDER, (route) => {
        keys.push(route.request().postDataJSON().key)
        return keys.length <= 2 ? answer(route) : route.continue()
      })
      await transfer(page).password.fill(PASSWORD)
      await transfer(page).confirm.click()
      await expect(transfer(page).sheet).toContainText('it cannot be done twice')
      const [stored] = await storedPresses(page)
      expect(stored).toMatchObject({ key: keys[0], symbol: 'USDT', amount: '25' })
      expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(PASSWORD)
      await expect(page).toHaveURL(/\?id=/, { timeout: 10_000 })
      expect(keys.length).toBe(3)
      expect(new Set(keys).size).toBe(1)
      expect(await storedPresses(page)).toEqual([])
      expect(await ordersOf(stack, member)).toBe(1)
    })

  test('also where the network is gone, and goes on when it is back', async ({
    page,
    context,
    stack,
    enterHolding,
  }) => {
    const member = await enterHolding()
    await propose(page, 'USDT', '25')
    await transfer(page).password.fill(PASSWORD)
    await context.setOffline(true)
    await transfer(page).confirm.click()
    await expect(transfer(page).sheet).toContainText('No answer yet.')
    await context.setOffline(false)
    await expect(page).toHaveURL(/\?id=/, { timeout: 10_000 })
    expect(await ordersOf(stack, member)).toBe(1)
  })

  test('also where the pool does not answer within the time', async ({ page, stack, enterHolding }) => {
    const member = await enterHolding()
    await page.clock.install()
    await propose(page, 'USDT', '25')
    let asked = 0
    await page.route(ORDER, async (route) => {
      asked += 1
      if (asked > 1) return route.continue()
      await route.fetch()
    })
    await transfer(page).password.fill(PASSWORD)
    await transfer(page).confirm.click()
    await expect.poll(() => asked).toBe(1)
    await page.clock.fastForward('01:01')
    await expect(transfer(page).sheet).toContainText('No answer yet.')
    await page.clock.runFor(1_500)
    await expect(page).toHaveURL(/\?id=/)
    expect(await ordersOf(stack, member)).toBe(1)
  })
})

test.describe('after a reload with an answer that was never heard', () => {
  test('the transfer is found in the pool’s list', async ({ page, stack, enterHolding }) => {
    const member = await enterHolding()
    await pressUnheard(page, loseAnswer)
    await page.reload()
    await expect(page.getByText('Your transfer of 25 USDT was made.')).toBeVisible()
    await page.getByRole('button', { name: 'See it' }).click()
    await expect(transfer(page).step('Requested')).toBeVisible()
    expect(await storedPresses(page)).toEqual([])
    expect(await ordersOf(stack, member)).toBe(1)
  })

  test('one that never came to the pool can be sent again, under its own key', async ({
    page,
    stack,
    enterHolding,
  }) => {
    const member = await enterHolding()
    const keys: string[] = []
    page.on('request', (asked) => {
      if (ORDER.test(asked.url())) keys.push(asked.postDataJSON().key)
    })
    await pressUnheard(page, (route) => route.abort())
    await page.reload()
    await expect(page.getByText('So far it is not in your records.')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Send it again' }).click()
    await expect(transfer(page).sheet).toContainText('This sends your earlier request again. It cannot be done twice.')
    await expect(transfer(page).password).toHaveValue('')
    await transfer(page).password.fill(PASSWORD)
    await transfer(page).confirm.click()
    await expect(page).toHaveURL(/\?id=/)
    expect(new Set(keys).size).toBe(1)
    expect(await ordersOf(stack, member)).toBe(1)
  })

  test('the same written into the form anew is the same press, and makes no second transfer', async ({
    page,
    stack,
    enterHolding,
  }) => {
    const member = await enterHolding()
    // The list cannot be read for now. A member who cannot see the first transfer would press again.
    await page.route(/order\/list/, (route) => route.abort())
    await pressUnheard(page, loseAnswer)
    await page.reload()
    await page.unroute(ORDER)
    await transfer(page).amount.fill('25.0')
    await transfer(page).submit.click()
    await transfer(page).password.fill(PASSWORD)
    await transfer(page).confirm.click()
    await expect(page).toHaveURL(/\?id=/)
    expect(await ordersOf(stack, member)).toBe(1)
  })

  test('one that was refused for its password meanwhile does not stand in the way of the right one', async ({
    page,
    stack,
    enterHolding,
  }) => {
    const member = await enterHolding()
    await pressUnheard(page, loseAnswer, 'wrong1')
    await page.reload()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Send it again' }).click()
    await transfer(page).password.fill(PASSWORD)
    await transfer(page).confirm.click()
    await expect(page).toHaveURL(/\?id=/)
    expect(await ordersOf(stack, member)).toBe(1)
  })

  test('one can be given up only when it is known, after two minutes, not to have come', async ({
    page,
    stack,
    enterHolding,
  }) => {
    const member = await enterHolding()
    await page.clock.install()
    await pressUnheard(page, (route) => route.abort())
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByText('So far it is not in your records.')).toBeVisible()
    const discard = page.getByRole('button', { name: 'Do not send it' })
    await expect(discard).toHaveCount(0)
    await page.clock.runFor(130_000)
    await expect(page.getByText('did not reach the pool. Nothing was debited.')).toBeVisible()
    await expect(page.getByText('Transfer failed, please try again later')).toBeVisible()

    // After it was sent again, it may still arrive.
    await page.getByRole('button', { name: 'Send it again' }).click()
    await transfer(page).password.fill(PASSWORD)
    await transfer(page).confirm.click()
    await expect(transfer(page).sheet).toContainText('No answer yet.')
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByText('So far it is not in your records.')).toBeVisible()
    await expect(discard).toHaveCount(0)
    await page.clock.runFor(130_000)
    await discard.click()
    await expect(page.getByText('did not reach the pool')).toHaveCount(0)
    expect(await storedPresses(page)).toEqual([])
    expect(await ordersOf(stack, member)).toBe(0)
  })
})
