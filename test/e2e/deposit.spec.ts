import type { Asset } from '@lode/kernel'
import { allowanceOf, giveCoins, makeFinal } from '../browser/coins.ts'
import { deposit, fillIn, openForm, storedPayments } from '../browser/deposit.ts'
import { moneyRequests } from '../browser/money-requests.ts'
import { expect, test } from '../browser/own-stack.ts'
import { newAccount } from '../browser/wallet.ts'

/** Following a payment until the credit takes several looks at the chain. */
const PATIENT = { timeout: 15_000 }

test.describe('a deposit', () => {
  const ways: { symbol: Asset; amount: string; preview: string; asked: string[] }[] = [
    {
      symbol: 'USDT',
      amount: '100',
      preview: 'let the vault take 100 USDT, and no more',
      asked: ['approve 100 USDT', 'deposit 100 USDT'],
    },
    {
      symbol: 'BTN',
      amount: '1234.567890123456789',
      preview: 'a signature that lets the vault take 1,234.567890123456789 BTN, and no more',
      asked: ['permit 1234.567890123456789 BTN', 'depositWithPermit 1234.567890123456789 BTN'],
    },
    {
      symbol: 'BTC',
      amount: '0.00000001',
      preview: 'let the vault take 0.00000001 BTC, and no more',
      asked: ['approve 0.00000001 BTC', 'deposit 0.00000001 BTC'],
    },
  ]
  for (const { symbol, amount, preview, asked } of ways) {
    test(`in ${symbol} is told in words, asks for exactly that, and is credited when final`, async ({
      page,
      stack,
      enterWith,
    }) => {
      const { wallet } = await enterWith({ [symbol]: '5000' })
      const { sheet, status, submit, step } = deposit(page)
      await fillIn(page, symbol, amount)
      await expect(deposit(page).preview).toContainText(preview)
      await expect(sheet).toContainText(stack.contracts.vault.slice(0, 6))
      expect(moneyRequests(stack, wallet), 'nothing is asked before the press').toEqual([])

      await submit.click()
      await expect(status('In a block').or(status('Confirming'))).toBeVisible(PATIENT)
      await expect(status('Credited')).toBeHidden()
      await makeFinal(stack)
      await expect(status('Credited')).toBeVisible(PATIENT)
      await expect(step('Credited to your balance')).toContainText('In your balance since')
      expect(moneyRequests(stack, wallet)).toEqual(asked)
      expect(await allowanceOf(stack, symbol, wallet.address), 'nothing may be taken any more').toBe(0n)

      await sheet.getByRole('button', { name: 'See it in the asset log' }).click()
      await expect(page).toHaveURL(new RegExp(`/wallet/detail\\?symbol=${symbol}`))
      await expect(deposit(page).tray).toBeHidden()
      await expect(page.getByRole('listitem').filter({ hasText: 'Transfer in' })).toBeVisible()
    })
  }

  test('takes back an old allowance first, where the token wants that; refused, that is silent too', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ USDT: '500' })
    // Refusing the payment leaves the allowance of 30 behind.
    wallet.will('refuses', 'eth_sendTransaction', 1, 1)
    await fillIn(page, 'USDT', '30')
    await deposit(page).submit.click()
    await expect.poll(() => wallet.asked('eth_sendTransaction')).toBe(2)
    await expect(deposit(page).amount).toHaveValue('30')

    await deposit(page).amount.fill('100')
    await expect(deposit(page).preview).toContainText('back to zero')
    wallet.will('refuses', 'eth_sendTransaction', 1)
    await deposit(page).submit.click()
    await expect.poll(() => wallet.asked('eth_sendTransaction')).toBe(3)
    await expect(deposit(page).amount).toHaveValue('100')
    await deposit(page).submit.click()
    await expect(deposit(page).status('In a block').or(deposit(page).status('Confirming'))).toBeVisible(PATIENT)
    expect(moneyRequests(stack, wallet)).toEqual([
      'approve 30 USDT',
      'deposit 30 USDT',
      'approve 0 USDT',
      'approve 0 USDT',
      'approve 100 USDT',
      'deposit 100 USDT',
    ])
  })

  test('asks only for the payment, where the vault may take as much already', async ({ page, stack, enterWith }) => {
    const { wallet } = await enterWith({ BTC: '2' })
    wallet.will('refuses', 'eth_sendTransaction', 1, 1)
    await fillIn(page, 'BTC', '1.5')
    await deposit(page).submit.click()
    await expect.poll(() => wallet.asked('eth_sendTransaction')).toBe(2)
    await expect(deposit(page).amount).toHaveValue('1.5')
    await expect(deposit(page).preview).not.toContainText('no more')
    await expect(deposit(page).preview).toContainText('may already take this much')
    await deposit(page).submit.click()
    await expect(deposit(page).status('In a block').or(deposit(page).status('Confirming'))).toBeVisible(PATIENT)
    expect(moneyRequests(stack, wallet)).toEqual(['approve 1.5 BTC', 'deposit 1.5 BTC', 'deposit 1.5 BTC'])
  })

  test('pressed twice is asked for once', async ({ page, stack, enterWith }) => {
    const { wallet } = await enterWith({ BTN: '100' })
    await fillIn(page, 'BTN', '7')
    await deposit(page).submit.dblclick()
    await expect(deposit(page).status('In a block').or(deposit(page).status('Confirming'))).toBeVisible(PATIENT)
    expect(moneyRequests(stack, wallet)).toEqual(['permit 7 BTN', 'depositWithPermit 7 BTN'])
    expect(await storedPayments(page)).toHaveLength(1)
  })

  test('keeps the focus within its sheet, and goes on when that is closed', async ({ page, stack, enterWith }) => {
    const { wallet } = await enterWith({ BTN: '100' })
    wallet.will('holds-back', 'eth_sendTransaction', 1)
    await fillIn(page, 'BTN', '7')
    await deposit(page).submit.press('Enter')
    await expect(deposit(page).status('Sent')).toBeVisible()
    const isInside = () => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)
    await expect.poll(isInside).toBe(true)
    await deposit(page).close.click()
    await expect(deposit(page).tray).toContainText('Deposit 7 BTN')
    await page.goto('/home')
    await wallet.letGo()
    await expect(deposit(page).tray.getByText(/In a block|Confirming/)).toBeVisible(PATIENT)
    await makeFinal(stack)
    await expect(deposit(page).tray).toContainText('Credited', PATIENT)
    await deposit(page)
      .tray.getByRole('button', { name: /Take off the list/ })
      .click()
    await expect(deposit(page).tray).toBeHidden()
    expect(await storedPayments(page)).toEqual([])
  })
})

test.describe('a refusal', () => {
  const prompts: { where: string; symbol: Asset; method: string; asked: string[] }[] = [
    { where: 'of the allowance', symbol: 'USDT', method: 'eth_sendTransaction', asked: ['approve 20 USDT'] },
    { where: 'of the permit', symbol: 'BTN', method: 'eth_signTypedData_v4', asked: ['permit 20 BTN'] },
    {
      where: 'of the payment',
      symbol: 'BTN',
      method: 'eth_sendTransaction',
      asked: ['permit 20 BTN', 'depositWithPermit 20 BTN'],
    },
  ]
  for (const { where, symbol, method, asked } of prompts) {
    test(`${where} is silent: back to the form, as it was, and nothing is left of it`, async ({
      page,
      stack,
      enterWith,
      toasts,
    }) => {
      const { wallet } = await enterWith({ [symbol]: '50' })
      wallet.will('refuses', method, 1)
      await fillIn(page, symbol, '20')
      await deposit(page).submit.click()
      await expect.poll(() => wallet.asked(method)).toBe(1)
      await expect(deposit(page).amount).toHaveValue('20')
      await expect(deposit(page).submit).toBeEnabled()
      await expect(deposit(page).tray).toBeHidden()
      expect(await storedPayments(page)).toEqual([])
      expect(wallet.transactions).toEqual([])
      expect(toasts).toEqual([])
      expect(moneyRequests(stack, wallet)).toEqual(asked)
    })
  }
})

test.describe('an equivalent deposit', () => {
  test('that is under way is shown again instead of paid twice; a second one is asked about first', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '100' })
    await fillIn(page, 'BTN', '7')
    await deposit(page).submit.click()
    await expect(deposit(page).status('In a block').or(deposit(page).status('Confirming'))).toBeVisible(PATIENT)

    await fillIn(page, 'BTN', '7.0')
    await expect(deposit(page).sheet.getByRole('region', { name: 'Under way already' })).toContainText('7 BTN')
    await deposit(page).submit.click()
    await expect(deposit(page).sheet).toContainText('under way already, so your wallet was not asked a second time')
    expect(moneyRequests(stack, wallet)).toHaveLength(2)

    await deposit(page).sheet.getByRole('button', { name: 'Deposit another 7 BTN' }).click()
    const question = page.getByRole('alertdialog', { name: 'A second deposit?' })
    await expect(question).toContainText('This sends 7 BTN once more')
    await question.getByRole('button', { name: 'Deposit another 7 BTN' }).click()
    await expect(deposit(page).preview).toContainText('a signature that lets the vault take 7 BTN, and no more')
    expect(moneyRequests(stack, wallet), 'told before it is asked').toHaveLength(2)
    await deposit(page).sheet.getByRole('button', { name: 'Deposit another 7 BTN' }).dblclick()
    await expect.poll(() => moneyRequests(stack, wallet)).toHaveLength(4)
    await expect(deposit(page).status('In a block').or(deposit(page).status('Confirming'))).toBeVisible(PATIENT)
    expect(await storedPayments(page)).toHaveLength(2)
  })
})

test.describe('the form', () => {
  test('says at the field what is wrong with an amount, and takes all that there is by one press', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ USDT: '1234.5' })
    await fillIn(page, 'USDT', '')
    const { amount, sheet, submit } = deposit(page)
    for (const [text, words] of [
      ['1,234', 'Write 1234 or 1.234'],
      ['12.3456789', 'USDT has at most 6 decimals'],
      ['abc', 'Digits and one decimal point'],
      ['0', 'The amount must be more than zero'],
      ['1234.500001', 'Your wallet holds 1,234.5 USDT'],
    ] as const) {
      await amount.fill(text)
      await submit.click()
      await expect(sheet.getByText(words)).toBeVisible()
      await expect(amount).toHaveAttribute('aria-invalid', 'true')
    }
    await sheet.getByRole('button', { name: 'All that is in your wallet' }).click()
    await expect(amount).toHaveValue('1234.5')
    await amount.fill('1 200,25')
    await expect(submit).toHaveText('Deposit 1,200.25 USDT')
    expect(moneyRequests(stack, wallet)).toEqual([])
  })

  test('blocks paying while the wallet shows another account, and says whose it has to be', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet, member } = await enterWith({ USDT: '50' })
    await fillIn(page, 'USDT', '5')
    await wallet.switchAccount(newAccount())
    await page.getByRole('dialog', { name: 'Your wallet changed its account' }).press('Escape')
    await expect(deposit(page).sheet).toContainText(`switch back to ${member.account.address.slice(0, 6)}`)
    await expect(deposit(page).submit).toBeHidden()
    await wallet.switchAccount(member.account)
    await expect(deposit(page).submit).toHaveText('Deposit 5 USDT')
    expect(moneyRequests(stack, wallet)).toEqual([])
  })

  test('offers to switch a wallet that is on another network, and asks nothing there', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ USDT: '50' })
    wallet.chainId = 1
    await openForm(page, 'USDT')
    await deposit(page).sheet.getByRole('button', { name: 'Switch to Lode Test' }).click()
    await expect(deposit(page).sheet.getByText('In your wallet: 50 USDT')).toBeVisible()
    expect(moneyRequests(stack, wallet)).toEqual([])
  })

  test('asks a wallet that has forgotten this page to connect again', async ({ page, enterWith }) => {
    const { wallet } = await enterWith({ USDT: '50' })
    wallet.connected = false
    await openForm(page, 'USDT')
    await deposit(page).sheet.getByRole('button', { name: 'Connect Plain Wallet' }).click()
    await expect(deposit(page).sheet.getByText('In your wallet: 50 USDT')).toBeVisible()
  })

  test('looks again before the wallet opens: what has changed meanwhile is told, and nothing asked', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    await fillIn(page, 'BTN', '5')
    await giveCoins(stack, wallet.address, { BTN: '1' })
    await deposit(page).submit.click()
    await expect(deposit(page).sheet).toContainText('Your wallet holds 1 BTN')
    expect(moneyRequests(stack, wallet)).toEqual([])
    expect(await storedPayments(page)).toEqual([])
  })

  test('in a wallet that cannot sign permits goes on with an exact allowance, after saying so', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.will('does-not-know-how', 'eth_signTypedData_v4')
    await fillIn(page, 'BTN', '5')
    await deposit(page).submit.click()
    await expect(deposit(page).sheet).toContainText('an allowance of exactly 5 BTN instead')
    await deposit(page).goOn.click()
    await expect(deposit(page).status('In a block').or(deposit(page).status('Confirming'))).toBeVisible(PATIENT)
    expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'approve 5 BTN', 'deposit 5 BTN'])
  })
})
