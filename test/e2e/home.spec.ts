import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { asIfAnswered } from '../browser/answers.ts'
import { comeBackLater } from '../browser/background.ts'
import { vaultHolds } from '../browser/coins.ts'
import { asIfGrown, asIfNew } from '../browser/home-screens.ts'
import { askFor, type Member, signedInAgain, tellFor } from '../browser/member.ts'
import { expect, test } from '../browser/own-stack.ts'
import { closedUpTo, dateOf, fundDay, moveTo, todayOf } from '../browser/pledge.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { memberWhoDeposited, PASSWORD } from '../browser/transfer.ts'

// Uses its own stack, because it moves the clock and compares the held amounts with the chain.
test.describe.configure({ mode: 'default' })
test.use({ onlyFor: 'home' })
// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

const shown = (page: Page): Locator => page.locator('main:visible')
/** A figure by its name. */
const figure = (page: Page, name: string): Locator =>
  shown(page)
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
const part = (page: Page, heading: string): Locator =>
  shown(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: heading, level: 2 }) })
const holding = (page: Page, symbol: string): Locator =>
  part(page, 'The pool').getByRole('listitem').filter({ hasText: symbol })

const key = () => randomBytes(16).toString('hex')

async function promoteAndPledge(stack: BrowserStack, member: Member): Promise<void> {
  const { plan } = await askFor(stack, 'pledge/overview', member)
  const common = { planVersion: plan?.version ?? 0, password: PASSWORD }
  await tellFor(stack, 'promotion/order', member, { ...common, key: key(), level: 1, balancePart: '100' })
  await tellFor(stack, 'pledge/order', member, {
    ...common,
    key: key(),
    quantity: '20000',
    termDays: 30,
    balancePart: '20000',
  })
}

test.describe('the first page', () => {
  test('shows the last production with its funding, the next one, and the pool with what it owes and holds', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    test.setTimeout(90_000)
    const member = await memberWhoDeposited(stack, register, { USDT: '250', BTN: '32000' })
    await promoteAndPledge(stack, member)
    const first = (await todayOf(stack)) + 1
    await moveTo(stack, first, 1)
    const tx = await fundDay(stack, first, '0.0025')
    await moveTo(stack, first + 1, 13)
    await closedUpTo(stack, first)
    await enter(await signedInAgain(stack, member))
    await page.goto('/home')

    await expect(page.getByRole('banner')).toContainText('L1')
    await expect(shown(page).getByRole('heading', { name: `Production of ${dateOf(first)}` })).toBeVisible()
    await expect(shown(page).getByText('0.00250000 BTC').first()).toBeVisible()
    await expect(shown(page).getByText('yours: 0.0025 BTC')).toBeVisible()
    await expect(shown(page).getByRole('timer')).toHaveText(/^(2[0-3]|1\d):\d\d:\d\d$/)

    const productions = part(page, 'Productions')
    await expect(productions).toContainText('last 2 days · 1 without production')
    await expect(productions.getByRole('row').nth(1)).toContainText(`${dateOf(first - 1)}`)
    await expect(productions.getByRole('row').nth(1)).toContainText('0 BTC')
    await expect(productions.getByRole('row').nth(2)).toContainText('0.0025 BTC')
    await expect(productions).toContainText(`${dateOf(first)} was funded by`)
    await expect(productions.getByRole('link', { name: /on the explorer$/ })).toHaveAttribute(
      'href',
      `https://explorer.example/tx/${tx}`,
    )

    for (const [name, value] of [
      ['Total computing power', '2 TH/s'],
      ['Units sold', '1'],
      ['Total investment', '90 USDT'],
      ['Members', '2'],
      ['Total effective pledge', '20,000 BTN'],
      ['Burned', '0 BTN'],
      ['Liquidity', '5 USDT'],
      ['Transfers overdue', '0'],
      ['Issuance', '1,000,000,000 BTN'],
      ['Destruction ratio', '50%'],
      ['Airdrop ratio', '30%'],
      ['Promotion ratio', '20%'],
    ] as const)
      await expect(figure(page, name), name).toHaveText(`${name}${value}`)
    await expect(part(page, 'The pool')).toContainText(/computed \d\d:\d\d|computed .*\d{4}/)
    await expect(part(page, 'The pool')).toContainText(/These four counted/)

    for (const symbol of ['USDT', 'BTN', 'BTC'] as const) {
      const held = await vaultHolds(stack, symbol)
      await expect(holding(page, symbol)).toContainText(`Held as the chain has it${held} ${symbol}`)
    }
    // 150 belong to the member. The payment belongs to the pool, also the partners' part, because the day was closed
    // without a partner.
    await expect(holding(page, 'USDT')).toContainText('Owed150.00 USDT')
    await expect(holding(page, 'USDT')).toContainText('of it the pool’s own 100.00')
    // The dividend waits to be collected: it is owed, and none of it belongs to the pool.
    await expect(holding(page, 'BTC')).toContainText('Owed0.00250000 BTC')
    await expect(part(page, 'The pool')).toContainText('exactly what the books say')

    await productions.getByRole('link', { name: 'Verify' }).click()
    await expect(page).toHaveURL('/pledge/detail?show=days')
    await expect(shown(page)).toContainText('all 2 days shown match')
  })

  test('of a new pool says what is missing, and makes nothing up', async ({ page, register, enter }) => {
    await enter(await register())
    await asIfNew(page)
    await page.goto('/home')
    await expect(shown(page).getByText('No day is closed yet.').first()).toBeVisible()
    await expect(shown(page)).toContainText('Days are counted from the first plan that the pool publishes.')
    await expect(shown(page)).toContainText('issuance and ratios are not set')
    await expect(shown(page)).toContainText('nothing can be said about what is held')
    await expect(shown(page).getByRole('timer')).toHaveCount(0)
    await expect(shown(page).getByText('Issuance', { exact: true })).toHaveCount(0)
    await expect(shown(page)).not.toContainText('as the chain has it')
  })

  test('says of a day on which nothing came in that nothing was shared out', async ({ page, register, enter }) => {
    await enter(await register())
    await asIfGrown(page)
    await asIfAnswered(page, 'pledge/overview', (data) => ({
      ...data,
      last: { day: data.today - 1, shared: '0', amount: '0', closedAt: data.at },
      next: { day: data.today, at: data.at, state: 'waiting-chain', until: null },
    }))
    await page.goto('/home')
    await expect(shown(page).getByText('0.00000000 BTC')).toBeVisible()
    await expect(shown(page)).toContainText('nothing was shared out')
    await expect(shown(page)).toContainText('waiting for the chain')
    await expect(part(page, 'Productions')).toContainText('last 14 days · 2 without production')
  })

  test('does not say that the chain agrees where nothing was compared, and says that the books are behind', async ({
    page,
    register,
    enter,
  }) => {
    await enter(await register())
    const before = new Date(Date.now() - 5 * 3_600_000).toISOString()
    await asIfGrown(page, (data) => ({
      ...data,
      at: new Date().toISOString(),
      books: data.books && { ...data.books, blockAt: before, checked: false },
    }))
    await page.goto('/home')
    await expect(shown(page)).toContainText('the vault was not compared with the books')
    await expect(shown(page)).toContainText('The books have not followed the chain since')
    await expect(shown(page)).not.toContainText('as the chain has it')
  })

  test('says in place which part could not be loaded, and loads it at another try', async ({
    page,
    register,
    enter,
    toasts,
  }) => {
    await enter(await register())
    await page.route(/\/api\/(pool\/(figures|days)|pledge\/overview)/, (route) =>
      route.fulfill({ status: 403, json: {} }),
    )
    await page.goto('/home')
    for (const title of [
      'The last production could not be loaded',
      'The table of days could not be loaded',
      'The figures of the pool could not be loaded',
    ])
      await expect(shown(page).getByRole('heading', { name: title })).toBeVisible()
    await expect(shown(page).getByText('Total asset value')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await part(page, 'The pool').getByRole('button', { name: 'Try again' }).click()
    await expect(figure(page, 'Issuance')).toContainText('1,000,000,000 BTN')
    expect(toasts).toEqual([])
  })

  test('says what could not be counted, and shows the rest', async ({ page, register, enter }) => {
    await enter(await register())
    await asIfAnswered(page, 'pool/figures', (data) => ({ ...data, totals: null }))
    await page.goto('/home')
    await expect(part(page, 'The pool')).toContainText('members could not be counted just now')
    await expect(figure(page, 'Issuance')).toContainText('1,000,000,000 BTN')
  })

  test('that could not be refreshed says how old its figures are', async ({ page, register, enter }) => {
    await enter(await register())
    await page.clock.install()
    await page.goto('/home')
    await expect(figure(page, 'Issuance')).toContainText('1,000,000,000 BTN')
    await page.route(/\/api\/pool\/figures/, (route) => route.fulfill({ status: 500, json: {} }))
    await comeBackLater(page)
    await expect(part(page, 'The pool')).toContainText('Could not be refreshed. Shown as of')
    await expect(figure(page, 'Issuance')).toContainText('1,000,000,000 BTN')
  })

  test('has the ways to deposit, transfer out, pledge and invite', async ({ page, register, enter }) => {
    await enter(await register())
    await page.goto('/home')
    const shortcuts = page.getByRole('navigation', { name: 'Shortcuts' })
    await shortcuts.getByRole('button', { name: 'Deposit' }).click()
    await expect(page.getByRole('dialog', { name: /Deposit/ })).toBeVisible()
    await page.keyboard.press('Escape')
    for (const [name, path] of [
      ['Transfer', '/setting/transfer'],
      ['Pledge', '/pledge'],
      ['Invite', '/share'],
    ] as const) {
      await page.goto('/home')
      await shortcuts.getByRole('link', { name }).click()
      await expect(page).toHaveURL(path)
    }
  })
})
