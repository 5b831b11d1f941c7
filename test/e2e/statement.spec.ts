import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { patchAnswer, registeredEarlier } from '../browser/api-answers.ts'
import { getAs, storeSession } from '../browser/member.ts'
import { fullHistory, postHistory } from '../browser/post-history.ts'
import { signInPage } from '../browser/sign-in.ts'
import { withFullStatement, withPeriod } from '../browser/statement-screens.ts'
import { expect, test } from '../browser/test.ts'
import { visibleMain } from '../browser/views.ts'

const STATEMENT = /\/api\/wallet\/statement/

test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const card = (page: Page, symbol: string): Locator =>
  visibleMain(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: symbol, level: 2, exact: true }) })
const part = (page: Page, symbol: string, name: string): Locator =>
  card(page, symbol)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name, level: 3, exact: true }) })

const terms = ['Paid in', 'Received', 'Spent', 'Taken out', 'Held now']

/** Adds up the figures on the screen, as a reader would: the signed terms give the held amount. */
async function expectToAddUp(page: Page, symbols: readonly string[]): Promise<void> {
  for (const symbol of symbols) {
    const shownTerms = await Promise.all(
      terms.map((name, place) =>
        symbol === 'Total'
          ? card(page, symbol).locator('dl').first().locator('div').nth(place).textContent()
          : part(page, symbol, name).locator('header').textContent(),
      ),
    )
    const [paidIn, received, spent, takenOut, held] = shownTerms.map((text) => unitsIn(text ?? ''))
    expect([symbol, (paidIn ?? 0n) + (received ?? 0n) + (spent ?? 0n) + (takenOut ?? 0n)]).toEqual([symbol, held])
  }
}

/** The signed figure at the end of a line, in units of 18 decimals. */
function unitsIn(line: string): bigint {
  const [, sign, whole = '', fraction = ''] = /([+−=]?)([\d,]+)(?:\.(\d+))?(?:\s*USDT)?\s*$/.exec(line) ?? []
  const amount = BigInt(whole.replaceAll(',', '') + fraction.padEnd(18, '0'))
  return sign === '−' ? -amount : amount
}

test.describe('the statement', () => {
  test('can be opened from the wallet, and adds up to the wallet’s balance', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await page.goto('/wallet')
    await visibleMain(page)
      .getByRole('link', { name: /^Statement/ })
      .click()
    await expect(page).toHaveURL('/wallet/statement')
    await expect(visibleMain(page)).toContainText(member.account.address)

    await expect(part(page, 'USDT', 'Paid in')).toContainText('+1,330.50')
    await expect(part(page, 'USDT', 'Paid in')).toContainText('Deposits')
    // A transfer on its way has not left yet, and a canceled one never did.
    await expect(part(page, 'USDT', 'Taken out')).toHaveText('Taken out0.00')
    await expect(part(page, 'USDT', 'Held now')).toContainText('=1,330.50')
    await expect(part(page, 'USDT', 'Held now')).toContainText('On its way out')
    await expect(part(page, 'USDT', 'Held now')).toContainText('still yours')
    await expectToAddUp(page, ['Total', 'USDT', 'BTN', 'BTC'])
    const { items } = await getAs(stack, 'wallet/assets', member)
    const { accounts } = await getAs(stack, 'wallet/statement', member)
    for (const { symbol, balance, freezeParts } of items)
      expect(accounts.find((one) => one.symbol === symbol)?.held).toMatchObject({ available: balance, ...freezeParts })
    await expect(card(page, 'BTC')).toContainText('0.00418721')
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page).toHaveURL('/wallet')
  })

  test('lists what was received by source, and the principal of pledges separately', async ({
    page,
    register,
    enter,
  }) => {
    await enter(await register())
    await patchAnswer(page, 'wallet/statement', withFullStatement)
    await page.goto('/wallet/statement')
    await expect(part(page, 'USDT', 'Received')).toContainText('Referral reward+180.00')
    await expect(part(page, 'USDT', 'Received')).toContainText('Thanksgiving reward+45.00')
    await expect(part(page, 'USDT', 'Spent')).toContainText('Promotions paid from balance−140.00')
    await expect(part(page, 'USDT', 'Spent')).toContainText('Promotions paid online−560.00')
    await expect(part(page, 'USDT', 'Spent')).toContainText('Transfer fees−1.00')
    await expect(part(page, 'USDT', 'Taken out')).toContainText('Arrived at your output address−250.00')
    await expectToAddUp(page, ['Total', 'USDT', 'BTN', 'BTC'])
    await expect(part(page, 'BTC', 'Received')).toContainText('Pledge dividend+0.01234567')
    await expect(part(page, 'BTN', 'Pledge principal (not counted in or out)')).toContainText('Returned50,000.00')
    await expect(visibleMain(page)).toContainText('Excludes BTN (no price)')
    await expect(part(page, 'USDT', 'Result')).toHaveText(
      'ResultTaken out + held now1,394.50Paid in1,810.50Less than paid in416.00',
    )
    await expect(part(page, 'Total', 'Result')).toHaveText(
      'ResultTaken out + held now2,193.71Paid in1,810.50More than paid in383.21',
    )
  })

  test('can be saved as a file, and is printed without buttons', async ({ page, register, enter }) => {
    const member = await register()
    await enter(member)
    await patchAnswer(page, 'wallet/statement', withFullStatement)
    await page.addInitScript(() => {
      // Like a browser that prints: it notifies the page first.
      window.print = () => {
        window.dispatchEvent(new Event('beforeprint'))
        document.documentElement.setAttribute('data-printed', '')
      }
    })
    await page.goto('/wallet/statement')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    const file = await saving
    expect(file.suggestedFilename()).toMatch(/^lode-statement-\d{4}-\d\d-\d\d\.csv$/)
    const text = await readFile(await file.path(), 'utf8')
    expect(text).toContain(`Account,${member.account.address}`)
    expect(text).toContain('USDT,Spent,Total,-701\r\n')
    expect(text).toContain('USDT,Taken out,Arrived at your output address,-250\r\n')
    expect(text).toContain('USDT,Result,Less than paid in,416\r\n')

    await expect(page.getByText('Your browser was asked to download it.')).toBeVisible()

    await page.getByRole('button', { name: 'Print' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-printed')
    await expect(page.getByRole('button', { name: 'Show it here' }), 'it was printed').toHaveCount(0)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Back' })).toBeHidden()
    await expect(card(page, 'BTC')).toBeVisible()
    await expectToAddUp(page, ['Total', 'USDT', 'BTN', 'BTC'])
    await expect(part(page, 'USDT', 'Result')).toBeVisible()
    // On paper nothing is hidden by scrolling.
    expect(await visibleMain(page).evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollHeight > window.innerHeight)).toBe(true)
  })

  test('of a month adds up from what was held before to what was held after, as a file and on paper', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await enter(member)
    await patchAnswer(page, 'account/profile', registeredEarlier)
    await page.goto('/wallet/statement')
    await page.getByRole('combobox', { name: 'Days' }).selectOption({ index: 1 })
    await expect(part(page, 'USDT', 'Held before')).toHaveText('Held before0.00')
    await expect(part(page, 'USDT', 'Paid in')).toContainText('+1,330.50')
    await expect(part(page, 'USDT', 'Held after')).toHaveText('Held after=1,330.50')
    await page.getByRole('combobox', { name: 'Days' }).selectOption({ index: 2 })
    await expect(visibleMain(page)).toContainText('You held nothing, and nothing changed in these days.')

    await patchAnswer(page, 'wallet/period', withPeriod)
    await page.getByRole('combobox', { name: 'Days' }).selectOption('Other days…')
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/api/wallet/period') && asked.push(request.url()))
    await page.getByLabel('First day (UTC)').fill('2026-11-01')
    await expect(visibleMain(page)).toContainText('Choose both days.')
    await expect(page.getByRole('button', { name: 'Save as CSV' })).toBeHidden()
    // A browser reports such a year while it is typed.
    await page.getByLabel('Last day (UTC)').fill('0020-11-15')
    await expect(visibleMain(page)).toContainText('Choose both days.')
    expect(asked).toEqual([])
    await page.getByLabel('Last day (UTC)').fill('2026-11-15')
    await expect(visibleMain(page).getByRole('heading', { name: '1 Nov 2026 – 15 Nov 2026' })).toBeVisible()
    const shown = await Promise.all(
      ['Held before', 'Paid in', 'Received', 'Spent', 'Taken out', 'Held after'].map(async (name) =>
        unitsIn((await part(page, 'USDT', name).locator('header').textContent()) ?? ''),
      ),
    )
    const [before = 0n, paidIn = 0n, received = 0n, spent = 0n, takenOut = 0n, after] = shown
    expect(before + paidIn + received + spent + takenOut).toBe(after)

    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    const file = await saving
    expect(file.suggestedFilename()).toBe('lode-statement-2026-11-01-2026-11-15.csv')
    const text = await readFile(await file.path(), 'utf8')
    expect(text).toContain('USDT,Held before,Total,1200.5\r\n')
    expect(text).toContain('USDT,Held after,Total,1071.75\r\n')
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(page.getByRole('combobox', { name: 'Days' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
    await expect(card(page, 'BTC')).toBeVisible()
  })

  for (const [how, words] of [
    ['ignores', 'Print view didn’t open?'],
    ['lacks', 'This browser cannot print.'],
  ] as const)
    test(`is shown as text in a browser that ${how} printing`, async ({ page, register, enter }) => {
      const member = await register()
      await enter(member)
      await patchAnswer(page, 'wallet/statement', withFullStatement)
      await page.addInitScript((how) => {
        Object.defineProperty(window, 'print', { value: how === 'ignores' ? () => {} : undefined })
      }, how)
      await page.goto('/wallet/statement')
      await page.getByRole('button', { name: 'Print' }).click()
      await expect(page.getByRole('status').filter({ hasText: words })).toBeVisible()
      await page.getByRole('button', { name: 'Show it here' }).click()
      const sheet = page.getByRole('dialog', { name: /^lode-statement-.*\.csv$/ })
      await expect(sheet.getByRole('textbox')).toHaveValue(/USDT,Taken out,Arrived at your output address,-250\n/)
    })

  test('is available in an exit session', async ({ page, stack, register, disable, giveWallet }) => {
    const member = await register()
    await postHistory(stack, member, fullHistory)
    await disable(member)
    await giveWallet({ account: member.account })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await page.getByRole('button', { name: 'Take your assets out' }).click()
    await expect(page).toHaveURL('/wallet')
    await visibleMain(page)
      .getByRole('link', { name: /^Statement/ })
      .click()
    await expect(part(page, 'USDT', 'Paid in')).toContainText('+1,330.50')
  })

  test('of a new member explains what it will contain; one that cannot be loaded says why', async ({
    page,
    register,
    enter,
  }) => {
    const member = await register()
    await enter(member)
    await page.goto('/wallet/statement')
    await expect(visibleMain(page).getByRole('heading', { name: 'No data yet' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Print' })).toHaveCount(0)
    await page.route(STATEMENT, (route) => route.fulfill({ status: 403, json: {} }))
    await storeSession(page, member)
    await page.goto('/wallet/statement')
    await expect(visibleMain(page).getByRole('heading', { name: 'Your statement could not be loaded' })).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(visibleMain(page).getByRole('heading', { name: 'No data yet' })).toBeVisible()
  })
})
