import { LONG_TIMEOUT, makeFinal } from '../browser/chain.ts'
import { depositPage, fillDepositForm, readStoredPayments } from '../browser/deposit.ts'
import { moneyRequests } from '../browser/money-requests.ts'
import { expect, test } from '../browser/own-stack.ts'
import { signInPage } from '../browser/sign-in.ts'

test.describe('a reloaded page', () => {
  test('during the allowance request says that nothing was paid, and continues when the member presses the button', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ USDT: '50' })
    wallet.setMisbehavior('hangs', 'eth_sendTransaction', 1)
    await fillDepositForm(page, 'USDT', '5')
    await depositPage(page).submit.click()
    await expect.poll(() => wallet.countRequests('eth_sendTransaction')).toBe(1)
    await page.reload()

    await depositPage(page).tray.getByRole('button', { name: 'Deposit 5 USDT' }).click()
    await expect(depositPage(page).status('Not sent')).toBeVisible()
    await expect(depositPage(page).sheet).toContainText('Nothing was paid')
    expect(moneyRequests(stack, wallet), 'a wallet never opens by itself').toEqual(['approve 5 USDT'])
    await depositPage(page).openWallet.click()
    await expect(depositPage(page).status('In a block').or(depositPage(page).status('Confirming'))).toBeVisible(
      LONG_TIMEOUT,
    )
    expect(moneyRequests(stack, wallet)).toEqual(['approve 5 USDT', 'approve 5 USDT', 'deposit 5 USDT'])
  })

  test('lets the member stop a payment before anything was sent, and removes it', async ({ page, enterWith }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.setMisbehavior('hangs', 'eth_signTypedData_v4', 1)
    await fillDepositForm(page, 'BTN', '5')
    await depositPage(page).submit.click()
    await expect.poll(() => wallet.countRequests('eth_signTypedData_v4')).toBe(1)
    await page.reload()
    await depositPage(page).tray.getByRole('button', { name: 'Deposit 5 BTN' }).click()
    await depositPage(page).stopPayment.click()
    await expect(depositPage(page).sheet).toBeHidden()
    await expect(depositPage(page).tray).toBeHidden()
    expect(await readStoredPayments(page)).toEqual([])
  })

  test('waits for a pending allowance, and opens the wallet only when the member presses the button', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ USDT: '50' })
    wallet.setMisbehavior('holds-back', 'eth_sendTransaction', 1)
    await fillDepositForm(page, 'USDT', '5')
    await depositPage(page).submit.click()
    await expect(depositPage(page).status('Approving')).toBeVisible()
    await page.reload()
    await depositPage(page).tray.getByRole('button', { name: 'Deposit 5 USDT' }).click()
    await expect(depositPage(page).status('Approving')).toBeVisible()
    await wallet.broadcast()
    await expect(depositPage(page).openWallet).toBeVisible(LONG_TIMEOUT)
    expect(moneyRequests(stack, wallet)).toEqual(['approve 5 USDT'])
    await depositPage(page).openWallet.click()
    await expect(depositPage(page).status('In a block').or(depositPage(page).status('Confirming'))).toBeVisible(
      LONG_TIMEOUT,
    )
    expect(moneyRequests(stack, wallet)).toEqual(['approve 5 USDT', 'deposit 5 USDT'])
  })

  test('during the payment request shows an unknown state, and finds a payment that was approved meanwhile', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.setMisbehavior('hangs', 'eth_sendTransaction', 1)
    await fillDepositForm(page, 'BTN', '5')
    await depositPage(page).submit.click()
    await expect.poll(() => wallet.countRequests('eth_sendTransaction')).toBe(1)
    await page.reload()
    await depositPage(page).tray.getByRole('button', { name: 'Deposit 5 BTN' }).click()
    await expect(depositPage(page).status('Not confirmed yet')).toBeVisible()
    await expect(depositPage(page).sheet).toContainText('Your wallet gave no clear answer')

    await wallet.approveAbandonedRequest()
    await expect(depositPage(page).status('In a block').or(depositPage(page).status('Confirming'))).toBeVisible(
      LONG_TIMEOUT,
    )
    await makeFinal(stack)
    await expect(depositPage(page).status('Credited')).toBeVisible(LONG_TIMEOUT)
    expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'depositWithPermit 5 BTN'])
  })

  test('can ask the wallet again, and the older request cannot take the amount a second time', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.setMisbehavior('hangs', 'eth_sendTransaction', 1)
    await fillDepositForm(page, 'BTN', '5')
    await depositPage(page).submit.click()
    await expect.poll(() => wallet.countRequests('eth_sendTransaction')).toBe(1)
    const [first] = wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')
    await page.reload()
    await depositPage(page).tray.getByRole('button', { name: 'Deposit 5 BTN' }).click()
    await depositPage(page).askAgain.click()
    await expect(depositPage(page).status('In a block').or(depositPage(page).status('Confirming'))).toBeVisible(
      LONG_TIMEOUT,
    )

    const late = await wallet.approveAbandonedRequest(first)
    await expect.poll(() => wallet.succeeded(late)).toBe(false)
    await makeFinal(stack)
    await expect(depositPage(page).status('Credited')).toBeVisible(LONG_TIMEOUT)
    const [payment] = await readStoredPayments(page)
    expect(payment?.sent).toHaveLength(1)
  })

  test('can hide a payment without an answer, and shows it again when it arrives', async ({ page, enterWith }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.setMisbehavior('hangs', 'eth_sendTransaction', 1)
    await fillDepositForm(page, 'BTN', '5')
    await depositPage(page).submit.click()
    await expect.poll(() => wallet.countRequests('eth_sendTransaction')).toBe(1)
    await page.reload()
    const line = depositPage(page).tray.getByRole('button', { name: 'Deposit 5 BTN' })
    await line.click()
    await depositPage(page).sheet.getByRole('button', { name: 'Remove from list' }).click()
    await expect(line).toBeHidden()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Deposit' })).toBeVisible()
    await expect(line).toBeHidden()

    await wallet.approveAbandonedRequest()
    await expect(line).toBeVisible(LONG_TIMEOUT)
  })

  test('still looks for the first payment after a second request was refused', async ({ page, stack, enterWith }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.setMisbehavior('hangs', 'eth_sendTransaction', 1)
    await fillDepositForm(page, 'BTN', '5')
    await depositPage(page).submit.click()
    await expect.poll(() => wallet.countRequests('eth_sendTransaction')).toBe(1)
    const [first] = wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')
    await page.reload()
    await depositPage(page).tray.getByRole('button', { name: 'Deposit 5 BTN' }).click()
    wallet.setMisbehavior('refuses', 'eth_signTypedData_v4', 1)
    await depositPage(page).askAgain.click()
    await expect.poll(() => wallet.countRequests('eth_signTypedData_v4')).toBe(2)
    await expect(depositPage(page).status('Not confirmed yet')).toBeVisible()
    await expect(depositPage(page).stopPayment).toBeHidden()

    await wallet.approveAbandonedRequest(first)
    await expect(depositPage(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
    await makeFinal(stack)
    await expect(depositPage(page).status('Credited')).toBeVisible(LONG_TIMEOUT)
  })

  for (const { state, shown } of [
    { state: 'sent', shown: /^Sent$/ },
    { state: 'in a block', shown: /^(In a block|Confirming)$/ },
    { state: 'credited', shown: /^Credited$/ },
  ] as const) {
    test(`shows a payment that is ${state} in that state, and follows it until it is credited`, async ({
      page,
      stack,
      enterWith,
    }) => {
      const { wallet } = await enterWith({ BTN: '50' })
      wallet.setMisbehavior('holds-back', 'eth_sendTransaction', 1)
      await fillDepositForm(page, 'BTN', '5')
      await depositPage(page).submit.click()
      await expect(depositPage(page).status('Sent')).toBeVisible()
      if (state !== 'sent') {
        await wallet.broadcast()
        await expect(depositPage(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
      }
      if (state === 'credited') {
        await makeFinal(stack)
        await expect(depositPage(page).status('Credited')).toBeVisible(LONG_TIMEOUT)
      }
      await page.reload()
      await expect(depositPage(page).tray.getByText(shown)).toBeVisible()
      await depositPage(page).tray.getByRole('button', { name: 'Deposit 5 BTN' }).first().click()
      if (state === 'sent') await wallet.broadcast()
      if (state !== 'credited') {
        await expect(depositPage(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
        await makeFinal(stack)
      }
      await expect(depositPage(page).status('Credited')).toBeVisible(LONG_TIMEOUT)
      expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'depositWithPermit 5 BTN'])
    })
  }
})

test.describe('a wallet that never shows the request', () => {
  test('can be asked again, and a late approval still counts', async ({ page, stack, enterWith }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.setMisbehavior('waits', 'eth_sendTransaction', 1)
    await page.clock.install()
    await fillDepositForm(page, 'BTN', '5')
    await depositPage(page).submit.click()
    await expect.poll(() => wallet.countRequests('eth_sendTransaction')).toBe(1)
    const giveUp = depositPage(page).sheet.getByRole('button', { name: 'Wallet didn’t open?' })
    await expect(giveUp).toBeHidden()
    await page.clock.fastForward('00:20')
    await giveUp.click()
    await expect(depositPage(page).status('Not confirmed yet')).toBeVisible()
    await expect(depositPage(page).askAgain).toBeVisible()

    wallet.stopWaiting()
    await expect(depositPage(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
    await makeFinal(stack)
    await expect(depositPage(page).status('Credited')).toBeVisible(LONG_TIMEOUT)
    expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'depositWithPermit 5 BTN'])
  })
})

test.describe('two tabs', () => {
  test('that press at the same moment ask the wallet once, and both show the payment', async ({
    page,
    context,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    const other = await context.newPage()
    for (const tab of [page, other]) await fillDepositForm(tab, 'BTN', '5')
    await Promise.all([page, other].map((tab) => depositPage(tab).submit.click()))
    for (const tab of [page, other])
      await expect(depositPage(tab).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
    await makeFinal(stack)
    for (const tab of [page, other]) await expect(depositPage(tab).status('Credited')).toBeVisible(LONG_TIMEOUT)
    expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'depositWithPermit 5 BTN'])
    expect(await readStoredPayments(page)).toHaveLength(1)
  })

  test('show the same payment live; the second tab takes over when the first is closed', async ({
    page,
    context,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    const other = await context.newPage()
    await other.goto('/home')
    await fillDepositForm(page, 'BTN', '5')
    wallet.setMisbehavior('hangs', 'eth_signTypedData_v4', 1)
    await depositPage(page).submit.click()
    await expect.poll(() => wallet.countRequests('eth_signTypedData_v4')).toBe(1)

    await fillDepositForm(other, 'BTN', '5')
    await depositPage(other).submit.click()
    await expect(depositPage(other).status('In your wallet')).toBeVisible()
    await expect(depositPage(other).sheet).toContainText('Another tab of this browser is handling this payment')
    expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN'])

    await page.close()
    await expect(depositPage(other).status('Not sent')).toBeVisible()
    await depositPage(other).openWallet.click()
    await expect(depositPage(other).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(LONG_TIMEOUT)
    expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'permit 5 BTN', 'depositWithPermit 5 BTN'])
  })
})

test('the payment sheet stays open after the session ends and follows the chain alone', async ({
  page,
  stack,
  enterWith,
  leaveIdle,
}) => {
  const { member, wallet } = await enterWith({ BTN: '50' })
  wallet.setMisbehavior('holds-back', 'eth_sendTransaction', 1)
  await fillDepositForm(page, 'BTN', '5')
  await depositPage(page).submit.click()
  await expect(depositPage(page).status('Sent')).toBeVisible()
  await leaveIdle(member, 31)
  await wallet.broadcast()
  await expect(page).toHaveURL(/\/login\?redirect=/, LONG_TIMEOUT)
  await expect(depositPage(page).status('In a block')).toBeVisible(LONG_TIMEOUT)
  await expect(depositPage(page).sheet).toContainText('The pool will still credit it. Sign in again to see it.')

  await depositPage(page).close.click()
  await makeFinal(stack)
  await signInPage(page)
    .wallet(/Plain Wallet/)
    .click()
  await expect(depositPage(page).tray.getByText('Credited')).toBeVisible(LONG_TIMEOUT)
})
