import { makeFinal } from '../browser/coins.ts'
import { deposit, fillIn, storedPayments } from '../browser/deposit.ts'
import { moneyRequests } from '../browser/money-requests.ts'
import { expect, test } from '../browser/own-stack.ts'
import { signIn } from '../browser/sign-in.ts'

const PATIENT = { timeout: 15_000 }

test.describe('a page that is opened anew', () => {
  test('while the wallet asks for the allowance says that nothing was paid, and goes on at a press', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ USDT: '50' })
    wallet.will('hangs', 'eth_sendTransaction', 1)
    await fillIn(page, 'USDT', '5')
    await deposit(page).submit.click()
    await expect.poll(() => wallet.asked('eth_sendTransaction')).toBe(1)
    await page.reload()

    await deposit(page).tray.getByRole('button', { name: 'Deposit 5 USDT' }).click()
    await expect(deposit(page).status('Not sent')).toBeVisible()
    await expect(deposit(page).sheet).toContainText('Nothing was paid')
    expect(moneyRequests(stack, wallet), 'a wallet never opens by itself').toEqual(['approve 5 USDT'])
    await deposit(page).goOn.click()
    await expect(deposit(page).status('In a block').or(deposit(page).status('Confirming'))).toBeVisible(PATIENT)
    expect(moneyRequests(stack, wallet)).toEqual(['approve 5 USDT', 'approve 5 USDT', 'deposit 5 USDT'])
  })

  test('before anything was sent lets it be left, and then there is nothing of it', async ({ page, enterWith }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.will('hangs', 'eth_signTypedData_v4', 1)
    await fillIn(page, 'BTN', '5')
    await deposit(page).submit.click()
    await expect.poll(() => wallet.asked('eth_signTypedData_v4')).toBe(1)
    await page.reload()
    await deposit(page).tray.getByRole('button', { name: 'Deposit 5 BTN' }).click()
    await deposit(page).leave.click()
    await expect(deposit(page).sheet).toBeHidden()
    await expect(deposit(page).tray).toBeHidden()
    expect(await storedPayments(page)).toEqual([])
  })

  test('while the allowance is on its way waits for it, and opens no wallet without a press', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ USDT: '50' })
    wallet.will('holds-back', 'eth_sendTransaction', 1)
    await fillIn(page, 'USDT', '5')
    await deposit(page).submit.click()
    await expect(deposit(page).status('Being allowed')).toBeVisible()
    await page.reload()
    await deposit(page).tray.getByRole('button', { name: 'Deposit 5 USDT' }).click()
    await expect(deposit(page).status('Being allowed')).toBeVisible()
    await wallet.letGo()
    await expect(deposit(page).goOn).toBeVisible(PATIENT)
    expect(moneyRequests(stack, wallet)).toEqual(['approve 5 USDT'])
    await deposit(page).goOn.click()
    await expect(deposit(page).status('In a block').or(deposit(page).status('Confirming'))).toBeVisible(PATIENT)
    expect(moneyRequests(stack, wallet)).toEqual(['approve 5 USDT', 'deposit 5 USDT'])
  })

  test('while the wallet asks to pay does not know what becomes of it, and finds what was answered unheard', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.will('hangs', 'eth_sendTransaction', 1)
    await fillIn(page, 'BTN', '5')
    await deposit(page).submit.click()
    await expect.poll(() => wallet.asked('eth_sendTransaction')).toBe(1)
    await page.reload()
    await deposit(page).tray.getByRole('button', { name: 'Deposit 5 BTN' }).click()
    await expect(deposit(page).status('Not known yet')).toBeVisible()
    await expect(deposit(page).sheet).toContainText('this page did not hear its answer')

    await wallet.sendUnheard()
    await expect(deposit(page).status('In a block').or(deposit(page).status('Confirming'))).toBeVisible(PATIENT)
    await makeFinal(stack)
    await expect(deposit(page).status('Credited')).toBeVisible(PATIENT)
    expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'depositWithPermit 5 BTN'])
  })

  test('asks once more at a press, and the request that was open cannot take the amount twice', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.will('hangs', 'eth_sendTransaction', 1)
    await fillIn(page, 'BTN', '5')
    await deposit(page).submit.click()
    await expect.poll(() => wallet.asked('eth_sendTransaction')).toBe(1)
    const [first] = wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')
    await page.reload()
    await deposit(page).tray.getByRole('button', { name: 'Deposit 5 BTN' }).click()
    await deposit(page).askAgain.click()
    await expect(deposit(page).status('In a block').or(deposit(page).status('Confirming'))).toBeVisible(PATIENT)

    const late = await wallet.sendUnheard(first)
    await expect.poll(() => wallet.succeeded(late)).toBe(false)
    await makeFinal(stack)
    await expect(deposit(page).status('Credited')).toBeVisible(PATIENT)
    const [payment] = await storedPayments(page)
    expect(payment?.sent).toHaveLength(1)
  })

  test('lets what was never heard of be taken off the list, and brings it back when it arrives', async ({
    page,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.will('hangs', 'eth_sendTransaction', 1)
    await fillIn(page, 'BTN', '5')
    await deposit(page).submit.click()
    await expect.poll(() => wallet.asked('eth_sendTransaction')).toBe(1)
    await page.reload()
    const line = deposit(page).tray.getByRole('button', { name: 'Deposit 5 BTN' })
    await line.click()
    await deposit(page).sheet.getByRole('button', { name: 'Take it off the list' }).click()
    await expect(line).toBeHidden()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Deposit' })).toBeVisible()
    await expect(line).toBeHidden()

    await wallet.sendUnheard()
    await expect(line).toBeVisible(PATIENT)
  })

  test('asks once more and, refused, still looks for the first: that request may be open', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.will('hangs', 'eth_sendTransaction', 1)
    await fillIn(page, 'BTN', '5')
    await deposit(page).submit.click()
    await expect.poll(() => wallet.asked('eth_sendTransaction')).toBe(1)
    const [first] = wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')
    await page.reload()
    await deposit(page).tray.getByRole('button', { name: 'Deposit 5 BTN' }).click()
    wallet.will('refuses', 'eth_signTypedData_v4', 1)
    await deposit(page).askAgain.click()
    await expect.poll(() => wallet.asked('eth_signTypedData_v4')).toBe(2)
    await expect(deposit(page).status('Not known yet')).toBeVisible()
    await expect(deposit(page).leave).toBeHidden()

    await wallet.sendUnheard(first)
    await expect(deposit(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(PATIENT)
    await makeFinal(stack)
    await expect(deposit(page).status('Credited')).toBeVisible(PATIENT)
  })

  for (const { state, shown } of [
    { state: 'sent', shown: /^Sent$/ },
    { state: 'in a block', shown: /^(In a block|Confirming)$/ },
    { state: 'credited', shown: /^Credited$/ },
  ] as const) {
    test(`after it was ${state} shows it as that, and follows it to the credit`, async ({ page, stack, enterWith }) => {
      const { wallet } = await enterWith({ BTN: '50' })
      wallet.will('holds-back', 'eth_sendTransaction', 1)
      await fillIn(page, 'BTN', '5')
      await deposit(page).submit.click()
      await expect(deposit(page).status('Sent')).toBeVisible()
      if (state !== 'sent') {
        await wallet.letGo()
        await expect(deposit(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(PATIENT)
      }
      if (state === 'credited') {
        await makeFinal(stack)
        await expect(deposit(page).status('Credited')).toBeVisible(PATIENT)
      }
      await page.reload()
      await expect(deposit(page).tray.getByText(shown)).toBeVisible()
      await deposit(page).tray.getByRole('button', { name: 'Deposit 5 BTN' }).first().click()
      if (state === 'sent') await wallet.letGo()
      if (state !== 'credited') {
        await expect(deposit(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(PATIENT)
        await makeFinal(stack)
      }
      await expect(deposit(page).status('Credited')).toBeVisible(PATIENT)
      expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'depositWithPermit 5 BTN'])
    })
  }
})

test.describe('a wallet that never shows the request', () => {
  test('can be given up on, asked again, and still counts should it answer after all', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.will('waits', 'eth_sendTransaction', 1)
    await page.clock.install()
    await fillIn(page, 'BTN', '5')
    await deposit(page).submit.click()
    await expect.poll(() => wallet.asked('eth_sendTransaction')).toBe(1)
    const giveUp = deposit(page).sheet.getByRole('button', { name: 'My wallet shows nothing' })
    await expect(giveUp).toBeHidden()
    await page.clock.fastForward('00:20')
    await giveUp.click()
    await expect(deposit(page).status('Not known yet')).toBeVisible()
    await expect(deposit(page).askAgain).toBeVisible()

    wallet.stopWaiting()
    await expect(deposit(page).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(PATIENT)
    await makeFinal(stack)
    await expect(deposit(page).status('Credited')).toBeVisible(PATIENT)
    expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'depositWithPermit 5 BTN'])
  })
})

test.describe('two tabs', () => {
  test('that press at the same moment ask the wallet once, and both show it', async ({
    page,
    context,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    const other = await context.newPage()
    for (const tab of [page, other]) await fillIn(tab, 'BTN', '5')
    await Promise.all([page, other].map((tab) => deposit(tab).submit.click()))
    for (const tab of [page, other])
      await expect(deposit(tab).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(PATIENT)
    await makeFinal(stack)
    for (const tab of [page, other]) await expect(deposit(tab).status('Credited')).toBeVisible(PATIENT)
    expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'depositWithPermit 5 BTN'])
    expect(await storedPayments(page)).toHaveLength(1)
  })

  test('see one another’s payment live; the second takes over when the first is closed', async ({
    page,
    context,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    const other = await context.newPage()
    await other.goto('/home')
    await fillIn(page, 'BTN', '5')
    wallet.will('hangs', 'eth_signTypedData_v4', 1)
    await deposit(page).submit.click()
    await expect.poll(() => wallet.asked('eth_signTypedData_v4')).toBe(1)

    await fillIn(other, 'BTN', '5')
    await deposit(other).submit.click()
    await expect(deposit(other).status('In your wallet')).toBeVisible()
    await expect(deposit(other).sheet).toContainText('Another tab of this browser is handling this payment')
    expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN'])

    await page.close()
    await expect(deposit(other).status('Not sent')).toBeVisible()
    await deposit(other).goOn.click()
    await expect(deposit(other).sheet.getByText(/^(In a block|Confirming)$/)).toBeVisible(PATIENT)
    expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'permit 5 BTN', 'depositWithPermit 5 BTN'])
  })
})

test('a session that ends keeps the sheet, which goes on from the chain alone', async ({
  page,
  stack,
  enterWith,
  leaveIdle,
}) => {
  const { member, wallet } = await enterWith({ BTN: '50' })
  wallet.will('holds-back', 'eth_sendTransaction', 1)
  await fillIn(page, 'BTN', '5')
  await deposit(page).submit.click()
  await expect(deposit(page).status('Sent')).toBeVisible()
  await leaveIdle(member, 31)
  await wallet.letGo()
  await expect(page).toHaveURL(/\/login\?redirect=/, PATIENT)
  await expect(deposit(page).status('In a block')).toBeVisible(PATIENT)
  await expect(deposit(page).sheet).toContainText('The pool credits it all the same. Log in again to see it.')

  await deposit(page).close.click()
  await makeFinal(stack)
  await signIn(page)
    .wallet(/Plain Wallet/)
    .click()
  await expect(deposit(page).tray.getByText('Credited')).toBeVisible(PATIENT)
})
