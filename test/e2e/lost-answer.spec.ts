import type { BrowserContext, Page } from '@playwright/test'
import { callNode, decimals, LONG_TIMEOUT, makeFinal, readBalance } from '../browser/chain.ts'
import { depositPage, fillDepositForm } from '../browser/deposit.ts'
import { type Member, signInAgain, storeSession, storeWallet } from '../browser/member.ts'
import { moneyRequests } from '../browser/money-requests.ts'
import { expect, test } from '../browser/own-stack.ts'
import { orderOnline, promotionPage } from '../browser/promotion.ts'
import type { BrowserStack } from '../browser/stack.ts'
import { installWallets, type MemberWallet } from '../browser/wallet.ts'

/**
 * A payment whose answer is lost, while no node searches its logs: neither the wallet's nor the pool's. In every state
 * of the payment, after every kind of loss, the app must tell the truth within a minute of finality, and pay once.
 * `LOST_ANSWERS=all` runs all combinations; CI runs each state and each loss at least once.
 */
test.use({ onlyFor: 'lost-answer' })
test.afterEach(({ context }) => context.unrouteAll({ behavior: 'ignoreErrors' }))

/** The page must say what is true within this time after the payment is final. */
const TRUTH = { timeout: 60_000 }

type Case = { page: Page; context: BrowserContext; stack: BrowserStack; member: Member; wallet: MemberWallet }

type Kind = {
  readonly name: string
  readonly coins: { readonly USDT?: string; readonly BTN?: string }
  readonly symbol: 'USDT' | 'BTN'
  readonly paid: number
  /** Presses the pay button. The wallet's last request is the payment. */
  readonly pay: (page: Page) => Promise<void>
  /** How many requests to send a transaction the wallet gets before the one that pays. */
  readonly requestsBefore: number
  /** The page of the payment, after a loss: what it says once the payment is final. */
  readonly expectTruth: (page: Page, isRemembered: boolean) => Promise<void>
  readonly asked: readonly string[]
}

const deposit: Kind = {
  name: 'a deposit',
  coins: { BTN: '50' },
  symbol: 'BTN',
  paid: 5,
  requestsBefore: 0,
  asked: ['permit 5 BTN', 'depositWithPermit 5 BTN'],
  pay: async (page) => {
    await fillDepositForm(page, 'BTN', '5')
    await depositPage(page).submit.click()
  },
  expectTruth: async (page, isRemembered) => {
    if (isRemembered) await expect(depositPage(page).tray.getByText('Credited')).toBeVisible(TRUTH)
    await page.goto('/wallet/detail?symbol=BTN')
    const line = page.getByRole('listitem').filter({ hasText: 'Transfer in' })
    await expect(line).toHaveCount(1, TRUTH)
    await expect(line).toContainText('+5', LONG_TIMEOUT)
    await expect(line).toContainText('Confirmed', TRUTH)
    await expect(page.getByText('The pool has not seen it on the chain yet')).toBeHidden()
  },
}

const order: Kind = {
  name: 'the payment of an order',
  coins: { USDT: '300' },
  symbol: 'USDT',
  paid: 100,
  requestsBefore: 1,
  asked: ['approve 100 USDT', 'pay 100 USDT'],
  pay: async (page) => {
    await orderOnline(page)
    await promotionPage(page).pay.click()
  },
  expectTruth: async (page) => {
    await page.goto('/promotion')
    await expect(promotionPage(page).promote).toHaveText('Promote to L2 for 200 USDT', TRUTH)
  },
}

/** How the payment gets into a state before the loss, and how it reaches the chain after it. */
type State = {
  readonly name: string
  readonly reach: (one: Case, kind: Kind) => Promise<void>
  readonly complete: (one: Case) => Promise<void>
}

const nothing = async () => {}
const isAskedToPay = ({ wallet }: Case, { requestsBefore }: Kind) =>
  expect.poll(() => wallet.countRequests('eth_sendTransaction'), LONG_TIMEOUT).toBe(requestsBefore + 1)

const states: readonly State[] = [
  {
    name: 'asked, and confirmed in the wallet later',
    reach: async (one, kind) => {
      one.wallet.setMisbehavior('hangs', 'eth_sendTransaction', 1, kind.requestsBefore)
      await kind.pay(one.page)
      await isAskedToPay(one, kind)
    },
    complete: async ({ wallet }) => void (await wallet.approveAbandonedRequest()),
  },
  {
    name: 'sent, and reported as an error',
    reach: async (one, kind) => {
      one.wallet.setMisbehavior('sends-and-fails', 'eth_sendTransaction', 1, kind.requestsBefore)
      await kind.pay(one.page)
      await isAskedToPay(one, kind)
      await expect.poll(() => one.wallet.transactions.length, LONG_TIMEOUT).toBe(kind.requestsBefore + 1)
    },
    complete: nothing,
  },
  {
    name: 'sent, and waiting for a block',
    reach: async (one, kind) => {
      one.wallet.setMisbehavior('holds-back', 'eth_sendTransaction', 1, kind.requestsBefore)
      await kind.pay(one.page)
      await expect(one.page.getByRole('dialog').getByText('Sent', { exact: true })).toBeVisible(LONG_TIMEOUT)
    },
    complete: ({ wallet }) => wallet.broadcast(),
  },
  {
    name: 'in a block',
    reach: async (one, kind) => {
      await kind.pay(one.page)
      await expect(one.page.getByRole('dialog').getByText(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
    },
    complete: nothing,
  },
]

type Loss = {
  readonly name: string
  /** Whether the browser still has its own record of the payment. */
  readonly isRemembered: boolean
  /** Returns the page on which the member looks next. */
  readonly lose: (one: Case) => Promise<Page>
}

const losses: readonly Loss[] = [
  {
    name: 'the page is reloaded',
    isRemembered: true,
    lose: async ({ page }) => {
      await page.reload()
      return page
    },
  },
  {
    name: 'the browser loses its storage',
    isRemembered: false,
    lose: async ({ page, stack, member, wallet }) => {
      await page.goto('/healthz')
      await page.evaluate(() => localStorage.clear())
      await storeSession(page, await signInAgain(stack, member))
      await storeWallet(page, wallet)
      await page.goto('/home')
      return page
    },
  },
  {
    name: 'the member goes on in another tab',
    isRemembered: true,
    lose: async ({ page, context }) => {
      const other = await context.newPage()
      await other.goto('/home')
      await page.close()
      return other
    },
  },
  {
    name: 'the member goes on with another device',
    isRemembered: false,
    lose: async ({ page, context, stack, member, wallet }) => {
      const device = await context.browser()?.newContext({ baseURL: stack.origin })
      if (!device) throw new Error('There is no browser')
      await refuseLogSearches(device)
      await installWallets(device, [wallet])
      const other = await device.newPage()
      await storeSession(other, await signInAgain(stack, member))
      await storeWallet(other, wallet)
      await page.close()
      await other.goto('/home')
      return other
    },
  },
]

/** The pool's public node refuses to search its logs, as many public nodes do. */
const refuseLogSearches = (context: BrowserContext) =>
  context.route(/^http:\/\/127\.0\.0\.1:\d+\/$/, async (route) => {
    const body = route.request().method() === 'POST' ? route.request().postDataJSON() : null
    if (body?.method !== 'eth_getLogs') return route.continue()
    const headers = { 'access-control-allow-origin': '*' }
    await route.fulfill({ headers, json: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'not supported' } } })
  })

const all = [deposit, order].flatMap((kind) => states.flatMap((state) => losses.map((loss) => ({ kind, state, loss }))))
/** Every state and every loss, for a deposit; and the states of an order in turn. */
const sample = all.filter(({ kind, state, loss }) => {
  const [row, column] = [states.indexOf(state), losses.indexOf(loss)]
  return kind === deposit ? row === column : (row + 2) % states.length === column
})

for (const { kind, state, loss } of process.env.LOST_ANSWERS === 'all' ? all : sample) {
  test(`${kind.name}, ${state.name}; ${loss.name}`, async ({ page, context, stack, enterWith }) => {
    const { member, wallet } = await enterWith(kind.coins)
    wallet.setMisbehavior('does-not-know-how', 'eth_getLogs')
    await refuseLogSearches(context)
    const one: Case = { page, context, stack, member, wallet }
    await state.reach(one, kind)
    const shown = await loss.lose(one)
    await state.complete(one)
    await callNode(stack, 'anvil_mine', ['0x1'])
    await makeFinal(stack)
    await kind.expectTruth(shown, loss.isRemembered)

    expect(moneyRequests(stack, wallet), 'the wallet is asked once').toEqual(kind.asked)
    const left = await readBalance(stack, kind.symbol, wallet.address)
    const had = BigInt(kind.coins[kind.symbol] ?? '0')
    expect(left, 'paid once').toBe((had - BigInt(kind.paid)) * 10n ** BigInt(decimals[kind.symbol]))
    if (shown.context() !== context) await shown.context().close()
  })
}

test('a deposit that waits for a block is named on another device, so that it is not paid a second time', async ({
  page,
  context,
  stack,
  enterWith,
}) => {
  const { member, wallet } = await enterWith({ BTN: '50' })
  wallet.setMisbehavior('holds-back', 'eth_sendTransaction', 1)
  await fillDepositForm(page, 'BTN', '5')
  await depositPage(page).submit.click()
  await expect(depositPage(page).status('Sent')).toBeVisible(LONG_TIMEOUT)

  const device = losses.find(({ name }) => name.includes('device'))
  const other = await device?.lose({ page, context, stack, member, wallet })
  if (!other) throw new Error('There is no other device')
  await fillDepositForm(other, 'BTN', '5')
  await expect(depositPage(other).sheet).toContainText(/A device of yours sent 5\sBTN on .* not seen it on the chain/)
  await wallet.broadcast()
  await makeFinal(stack)
  await deposit.expectTruth(other, false)
  await other.context().close()
})

test('a tab that waits for a wallet which never answers shows the payment when it arrives, and so does another tab', async ({
  page,
  context,
  stack,
  enterWith,
}) => {
  const { wallet } = await enterWith({ BTN: '50' })
  wallet.setMisbehavior('hangs', 'eth_sendTransaction', 1)
  await page.clock.install()
  await fillDepositForm(page, 'BTN', '5')
  await depositPage(page).submit.click()
  await expect.poll(() => wallet.countRequests('eth_sendTransaction'), LONG_TIMEOUT).toBe(1)
  const other = await context.newPage()
  await other.goto('/home')
  await expect(depositPage(other).tray).toContainText('In your wallet', LONG_TIMEOUT)

  await wallet.approveAbandonedRequest()
  await makeFinal(stack)
  await page.clock.fastForward('00:16')
  await expect(depositPage(page).status('Credited')).toBeVisible(TRUTH)
  await expect(depositPage(other).tray).toContainText('Credited', TRUTH)
  expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'depositWithPermit 5 BTN'])
})
