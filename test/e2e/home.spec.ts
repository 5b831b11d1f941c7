import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { patchAnswer } from '../browser/api-answers.ts'
import { readVaultBalance } from '../browser/chain.ts'
import { returnToForeground } from '../browser/foreground.ts'
import { homeScreens, mockCollected, mockGrownPool, mockNewPool } from '../browser/home-screens.ts'
import { getAs, type Member, postAs, signInAgain } from '../browser/member.ts'
import { mockNextDay, scheduled } from '../browser/next-day.ts'
import { expect, test } from '../browser/own-stack.ts'
import { formatDay, fundDay, moveClockToHour, readPoolDay, waitUntilDayClosed } from '../browser/pledge.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { FUND_PASSWORD, registerDepositor } from '../browser/transfer.ts'
import { visibleMain } from '../browser/views.ts'

// Uses its own stack, because it moves the clock and compares the held amounts with the chain.
test.describe.configure({ mode: 'default' })
test.use({ onlyFor: 'home' })
// The app refreshes its data by itself, and a request may be open when the test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

/** A figure by its name. */
const figure = (page: Page, name: string): Locator =>
  visibleMain(page)
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
const part = (page: Page, heading: string): Locator =>
  visibleMain(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: heading, level: 2, exact: true }) })
const holding = (page: Page, symbol: string): Locator =>
  part(page, 'The pool').getByRole('listitem').filter({ hasText: symbol })

const EMPTY_DAY = { shared: '0', totalEffective: '20000', effective: '0', pledges: 0, amount: '0' }

const newKey = () => randomBytes(16).toString('hex')

async function promoteAndPledge(stack: BrowserStack, member: Member): Promise<void> {
  const { plan } = await getAs(stack, 'pledge/overview', member)
  const common = { planVersion: plan?.version ?? 0, password: FUND_PASSWORD }
  await postAs(stack, 'promotion/order', member, { ...common, key: newKey(), level: 1, balancePart: '100' })
  await postAs(stack, 'pledge/order', member, {
    ...common,
    key: newKey(),
    quantity: '20000',
    termDays: 30,
    balancePart: '20000',
  })
}

test.describe('the home page', () => {
  test('shows the last and the next production, the funding, and what the pool owes and holds', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const member = await registerDepositor(stack, register, { USDT: '250', BTN: '32000' })
    await promoteAndPledge(stack, member)
    const first = (await readPoolDay(stack)) + 1
    await moveClockToHour(stack, first, 1)
    const tx = await fundDay(stack, first, '0.0025')
    await moveClockToHour(stack, first + 1, 13)
    await waitUntilDayClosed(stack, first)
    const signedIn = await signInAgain(stack, member)
    await enter(signedIn)
    await page.goto('/home')

    await expect(page.getByRole('banner')).toContainText('L1')
    await expect(visibleMain(page).getByRole('heading', { name: `Production of ${formatDay(first)}` })).toBeVisible()
    await expect(visibleMain(page).getByText('0.00250000 BTC').first()).toBeVisible()
    // The only pledge gets all of it, as everybody can reckon.
    await expect(visibleMain(page)).toContainText(
      '0.0025 × 20,000 ÷ 20,000 ≈ 0.00250000\u00a0BTC checked on this device',
    )
    await expect(visibleMain(page).getByRole('timer')).toHaveText(/^(2[0-3]|1\d):\d\d:\d\d$/)

    const productions = part(page, 'Productions')
    await expect(productions).toContainText('last 2 days · 1 without production')
    await productions.getByText('Figures of these days').click()
    await expect(productions.getByRole('row').nth(1)).toContainText(`${formatDay(first - 1)}`)
    await expect(productions.getByRole('row').nth(1)).toContainText('0 BTC')
    await expect(productions.getByRole('row').nth(2)).toContainText('0.0025 BTC')
    await expect(productions).toContainText(`Funding transaction of ${formatDay(first)}:`)
    await expect(productions.getByRole('link', { name: /on the explorer$/ })).toHaveAttribute(
      'href',
      `https://explorer.example/tx/${tx}`,
    )

    for (const [name, value] of [
      ['Total computing power', '2 TH/s'],
      ['Units sold', '1'],
      ['Total investment', '90 USDT'],
      ['Members', '2'],
      ['Total effective pledge (all members)', '20,000 BTN'],
      ['Burned', '0 BTN'],
      ['Liquidity', '5 USDT'],
      ['Overdue transfers', '0'],
      ['Issuance', '1,000,000,000 BTN'],
      ['Destruction ratio', '50%'],
      ['Airdrop ratio', '30%'],
      ['Promotion ratio', '20%'],
    ] as const)
      await expect(figure(page, name), name).toHaveText(`${name}${value}`)
    await expect(part(page, 'The pool')).toContainText(/computed \d\d:\d\d|computed .*\d{4}/)

    for (const symbol of ['USDT', 'BTN', 'BTC'] as const) {
      const held = await readVaultBalance(stack, symbol)
      await expect(holding(page, symbol)).toContainText(`Held matches the chain${held} ${symbol}`)
    }
    // 150 belong to the member. The payment belongs to the pool, also the partners' part, because the day was closed
    // without a partner.
    await expect(holding(page, 'USDT')).toContainText('Owed150.00 USDT')
    await expect(holding(page, 'USDT')).toContainText('100.00 belongs to the pool')
    // The dividend waits to be collected: it is owed, and none of it belongs to the pool.
    await expect(holding(page, 'BTC')).toContainText('Owed0.00250000 BTC')
    await expect(part(page, 'The pool')).toContainText('matched the books exactly')

    await productions.getByRole('link', { name: 'Verify' }).click()
    await expect(page).toHaveURL('/pledge/detail?show=days')
    await expect(visibleMain(page)).toContainText('all 2 days shown match')

    await page.goto('/home')
    const toCollect = part(page, 'To collect')
    await expect(toCollect).toContainText('0.00250000\u00a0BTC dividends')
    await toCollect.getByRole('button', { name: 'Collect all' }).dblclick()
    await expect(toCollect).toContainText('Collected: 0.0025\u00a0BTC')
    await expect(toCollect.getByRole('button')).toHaveCount(0)
    await expect(part(page, 'Paid to you by the pool')).toContainText('0.00250000\u00a0BTC')
    const { items } = await getAs(stack, 'wallet/assets', signedIn)
    expect(items.find(({ symbol }) => symbol === 'BTC')?.balance).toBe('0.0025')
  })

  test('of a new member shows the first steps with their cost, ticked off as they are done', async ({
    page,
    stack,
    register,
    enter,
  }) => {
    const newcomer = await register()
    await enter(newcomer)
    await page.goto('/home')
    const total = page.getByRole('link', { name: /Total asset value/ }).getByText('USDT')
    await expect(total, 'a short amount keeps its size').toHaveCSS('font-size', '36px')
    const steps = part(page, 'First steps').getByRole('listitem')
    await expect(steps).toHaveText([
      /Registered/,
      /Choose a fund password.*Free/,
      /Get USDT or BTN.*Network: Lode Test \(fees in/,
      /Be promoted to L1 · 100 USDT.*Spent for good/,
      /Pledge BTN.*More than 10,000 BTN.*some days bring nothing/,
    ])
    await expect(part(page, 'Paid to you by the pool')).toHaveCount(0)
    await expect(part(page, 'To collect')).toHaveCount(0)
    await steps.getByRole('button', { name: /Get USDT or BTN/ }).click()
    const deposit = page.getByRole('dialog', { name: /Deposit/ })
    await expect(deposit).toContainText('Choose it before your first payment')
    await deposit.getByRole('button', { name: 'Choose a fund password' }).click()
    await expect(page.getByRole('dialog', { name: 'Choose a fund password' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Choose a fund password' })).toBeHidden()
    await expect(deposit).toBeVisible()
    await expect(deposit.getByText(/\(fees in [A-Z]+\)/)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(deposit).toBeHidden()
    await expect(part(page, 'First steps').getByRole('link', { name: /network’s coin are for/ })).toBeVisible()
    await steps.getByRole('button', { name: /Choose a fund password/ }).click()
    await expect(page.getByRole('dialog', { name: 'Choose a fund password' })).toBeVisible()
    await page.keyboard.press('Escape')
    for (const [name, path] of [
      [/Be promoted to L1/, '/promotion'],
      [/Pledge BTN/, '/pledge'],
    ] as const) {
      await page.goto('/home')
      await steps.getByRole('link', { name }).click()
      await expect(page).toHaveURL(path)
    }
    await enter(await registerDepositor(stack, register, { USDT: '120' }))
    await page.goto('/home')
    await expect(steps.filter({ hasText: '(done)' })).toHaveText([/Registered/, /Choose a fund password/, /Get USDT/])
  })

  test('says which part could not be collected, and that the rest is in the balance', async ({ page, tools }) => {
    await homeScreens['home-collect-part-failed']?.(tools)
    await expect(part(page, 'To collect')).toContainText('Collected: 5\u00a0USDT · 1.25\u00a0USDT')
    await expect(part(page, 'To collect')).toContainText('Could not be collected this time: dividends.')
    await expect(part(page, 'To collect').getByRole('button', { name: 'Collect all' })).toBeEnabled()
  })

  test('shows collected money once, also while it cannot be read again', async ({ page, tools }) => {
    await homeScreens['home-collect']?.(tools)
    await mockCollected(page)
    await page.route(/\/api\/account\/home/, () => new Promise(() => {}))
    const toCollect = part(page, 'To collect')
    await toCollect.getByRole('button', { name: 'Collect all' }).click()
    await expect(toCollect).toContainText('Collected: 0.00041872\u00a0BTC · 5\u00a0USDT · 1.25\u00a0USDT')
    await expect(toCollect.getByRole('button')).toHaveCount(0)
    await expect(toCollect).not.toContainText('dividends')
  })

  test('says below the total that it excludes what waits to be collected, until that is collected', async ({
    page,
    tools,
  }) => {
    await homeScreens['home-collect']?.(tools)
    await mockCollected(page)
    const total = visibleMain(page).getByRole('link', { name: /^Total asset value/ })
    await expect(total).toContainText('Excludes what waits to be collected')
    await page.getByRole('button', { name: 'Hide amounts' }).click()
    await expect(total).toContainText('Excludes what waits to be collected')
    await page.route(/\/api\/account\/home/, () => new Promise(() => {}))
    await part(page, 'To collect').getByRole('button', { name: 'Collect all' }).click()
    await expect(total).not.toContainText('Excludes')
  })

  test('of a new pool says which figures are missing, and invents none', async ({ page, register, enter }) => {
    await enter(await register())
    await mockNewPool(page)
    await page.goto('/home')
    await expect(visibleMain(page).getByText('No day has been closed yet.').first()).toBeVisible()
    await expect(visibleMain(page)).toContainText('Days count from the first plan that the pool publishes.')
    await expect(visibleMain(page)).toContainText('issuance and ratios are not set')
    await expect(visibleMain(page)).toContainText('what the pool holds is not known')
    await expect(visibleMain(page).getByRole('timer')).toHaveCount(0)
    await expect(visibleMain(page).getByText('Issuance', { exact: true })).toHaveCount(0)
    await expect(visibleMain(page)).not.toContainText('matches the chain')
  })

  test('says that a day without funding shared out nothing', async ({ page, register, enter }) => {
    await enter(await register())
    await mockGrownPool(page)
    await mockNextDay(page, (data) => ({ ...scheduled(data), state: 'waiting-chain' }))
    await patchAnswer(page, 'account/home', (data) => ({
      ...data,
      last: { ...EMPTY_DAY, day: Math.floor(Date.parse(data.at) / 86_400_000) - 1, closedAt: data.at },
    }))
    await page.goto('/home')
    await expect(visibleMain(page).getByText('0.00000000 BTC')).toBeVisible()
    await expect(visibleMain(page)).toContainText('nothing was shared out')
    await expect(visibleMain(page)).toContainText('waiting for the chain')
    await expect(part(page, 'Productions')).toContainText('last 14 days · 2 without production')
  })

  test('does not claim that ledger and chain agree before they were compared, and says that the ledger is behind', async ({
    page,
    register,
    enter,
  }) => {
    await enter(await register())
    const before = new Date(Date.now() - 5 * 3_600_000).toISOString()
    await mockGrownPool(page, (data) => ({
      ...data,
      at: new Date().toISOString(),
      books: data.books && { ...data.books, blockAt: before, checked: false },
    }))
    await page.goto('/home')
    await expect(visibleMain(page)).toContainText('the vault was not checked against the books')
    await expect(visibleMain(page)).toContainText('The books have been behind the chain since')
    await expect(visibleMain(page)).not.toContainText('matches the chain')
  })

  test('shows which part could not be loaded, and loads it on retry', async ({ page, register, enter, toasts }) => {
    await enter(await register())
    await page.route(/\/api\/(pool\/(figures|days)|account\/home)/, (route) => route.fulfill({ status: 403, json: {} }))
    await page.goto('/home')
    for (const title of [
      'What you have and earned could not be loaded',
      'The table of days could not be loaded',
      'The pool’s figures could not be loaded',
    ])
      await expect(visibleMain(page).getByRole('heading', { name: title })).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Shortcuts' })).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await part(page, 'The pool').getByRole('button', { name: 'Try again' }).click()
    await expect(figure(page, 'Issuance')).toContainText('1,000,000,000 BTN')
    expect(toasts).toEqual([])
  })

  test('says how old its figures are if it cannot be refreshed', async ({ page, register, enter }) => {
    await enter(await register())
    await page.clock.install()
    await page.goto('/home')
    await expect(figure(page, 'Issuance')).toContainText('1,000,000,000 BTN')
    await page.route(/\/api\/pool\/figures/, (route) => route.fulfill({ status: 500, json: {} }))
    await returnToForeground(page)
    await expect(part(page, 'The pool')).toContainText('Could not be refreshed. Shown as of')
    await expect(figure(page, 'Issuance')).toContainText('1,000,000,000 BTN')
  })

  test('links to deposit, transfer out, pledge and invite', async ({ page, register, enter }) => {
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
