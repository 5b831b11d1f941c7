import { LONG_TIMEOUT, makeFinal } from '../browser/chain.ts'
import { depositPage, fillDepositForm, openDepositForm } from '../browser/deposit.ts'
import { moneyRequests } from '../browser/money-requests.ts'
import { expect, test } from '../browser/own-stack.ts'
import { signInPage } from '../browser/sign-in.ts'
import { emptyStorage, limitNode, limitToWebView } from '../browser/wallet-webview.ts'

/** The browser inside a wallet on a phone: see `limitToWebView`. */
test.use({ onlyFor: 'wallet-webview' })
test.beforeEach(({ context }) => limitToWebView(context))

test('the keyboard covers neither the field nor the button of a form', async ({ page, enterWith }) => {
  await enterWith({ USDT: '50' })
  await openDepositForm(page, 'USDT')
  const { amount, submit, sheet } = depositPage(page)
  await amount.focus()
  await amount.fill('5')
  const half = await page.evaluate(() => innerHeight / 2)
  for (const part of [amount, submit])
    await expect
      .poll(async () => {
        const box = await part.boundingBox()
        return box !== null && box.y >= 0 && box.y + box.height <= half
      }, LONG_TIMEOUT)
      .toBe(true)
  await sheet.getByRole('heading').first().click()
  await expect.poll(async () => ((await submit.boundingBox())?.y ?? 0) > half, LONG_TIMEOUT).toBe(true)
})

test('a deposit is credited through a slow node without log searches', async ({ page, stack, enterWith }) => {
  const { wallet } = await enterWith({ BTN: '50' })
  limitNode(wallet)
  await fillDepositForm(page, 'BTN', '5')
  await depositPage(page).submit.click()
  await expect(depositPage(page).status('In a block').or(depositPage(page).status('Confirming'))).toBeVisible(
    LONG_TIMEOUT,
  )
  await makeFinal(stack)
  await expect(depositPage(page).status('Credited')).toBeVisible(LONG_TIMEOUT)
  expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'depositWithPermit 5 BTN'])
})

test('a member whose storage was emptied signs in again and is still known as this browser', async ({
  page,
  context,
  stack,
  register,
  giveWallet,
}) => {
  const member = await register()
  await giveWallet({ account: member.account })
  const signIn = async () => {
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expect(page).toHaveURL(/\/home/, LONG_TIMEOUT)
  }
  await signIn()
  const cookies = await context.cookies(`${stack.origin}/api/sign/login`)
  expect(cookies).toMatchObject([{ name: 'lode-device', httpOnly: true, sameSite: 'Strict' }])
  await emptyStorage(context)
  await signIn()
  expect(await context.cookies(`${stack.origin}/api/sign/login`)).toMatchObject([{ value: cookies[0]?.value }])
})

test('a new version does not reload the page while the wallet is asked to pay', async ({ page, enterWith }) => {
  const { wallet } = await enterWith({ BTN: '50' })
  wallet.setMisbehavior('waits', 'eth_sendTransaction', 1)
  await fillDepositForm(page, 'BTN', '5')
  await depositPage(page).submit.click()
  await expect.poll(() => wallet.countRequests('eth_sendTransaction'), LONG_TIMEOUT).toBe(1)
  // As after a deployment: the parts that were not loaded yet are gone.
  await page.route(/\/assets\/.*\.js/, (route) => route.fulfill({ status: 404 }))
  let loads = 0
  page.on('domcontentloaded', () => void loads++)
  await depositPage(page).close.click()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('navigation').getByRole('link').last().click()
  await page.waitForTimeout(1_000)
  expect(loads).toBe(0)
  await page.unroute(/\/assets\/.*\.js/)
  wallet.stopWaiting()
  await expect.poll(() => loads, LONG_TIMEOUT).toBe(1)
  await expect(depositPage(page).tray.getByText(/^(Sent|In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
})

test('an error of the app is reported once, without personal data', async ({ page, enterWith, expectedErrors }) => {
  expectedErrors.push(/no account/)
  const { member } = await enterWith({})
  const reports: string[] = []
  await page.route(/\/api\/client\/report/, async (route) => {
    reports.push(route.request().postData() ?? '')
    await route.continue()
  })
  await page.goto('/home')
  await page.evaluate((account) => {
    const error = new TypeError(`no account ${account}`)
    error.stack = `TypeError: no account ${account}\n    at f (${location.origin}/assets/home-1.js:1:2)`
    for (let time = 0; time < 3; time += 1) setTimeout(() => Promise.reject(error))
  }, member.account.address)
  await expect.poll(() => reports.length, LONG_TIMEOUT).toBe(1)
  expect(reports[0]).toContain('no account 0x…')
  expect(reports[0]).not.toContain(member.account.address)
})
