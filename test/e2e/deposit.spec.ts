import type { Asset } from '@lode/kernel'
import { toHex } from 'viem'
import { callNode, giveCoins, LONG_TIMEOUT, makeFinal, readAllowance } from '../browser/chain.ts'
import { depositPage, fillDepositForm, openDepositForm, readStoredPayments } from '../browser/deposit.ts'
import { storeSession } from '../browser/member.ts'
import { moneyRequests } from '../browser/money-requests.ts'
import { expect, test } from '../browser/own-stack.ts'
import { newAccount } from '../browser/wallet.ts'

test.describe('a deposit', () => {
  const ways: { symbol: Asset; amount: string; preview: string; asked: string[] }[] = [
    {
      symbol: 'USDT',
      amount: '100',
      preview: 'approve 100 USDT for the vault, and no more',
      asked: ['approve 100 USDT', 'deposit 100 USDT'],
    },
    {
      symbol: 'BTN',
      amount: '1234.567890123456789',
      preview: 'sign an approval of 1,234.567890123456789 BTN for the vault, and no more',
      asked: ['permit 1234.567890123456789 BTN', 'depositWithPermit 1234.567890123456789 BTN'],
    },
    {
      symbol: 'BTC',
      amount: '0.00000001',
      preview: 'approve 0.00000001 BTC for the vault, and no more',
      asked: ['approve 0.00000001 BTC', 'deposit 0.00000001 BTC'],
    },
  ]
  for (const { symbol, amount, preview, asked } of ways) {
    test(`in ${symbol} is explained first, asks the wallet for the exact amount, and is credited when final`, async ({
      page,
      stack,
      enterWith,
    }) => {
      const { wallet } = await enterWith({ [symbol]: '5000' })
      const { sheet, status, submit, step } = depositPage(page)
      await fillDepositForm(page, symbol, amount)
      await expect(depositPage(page).preview).toContainText(preview)
      await expect(sheet).toContainText(stack.contracts.vault.slice(0, 6))
      expect(moneyRequests(stack, wallet), 'nothing is asked before the press').toEqual([])

      await submit.click()
      await expect(status('In a block').or(status('Confirming'))).toBeVisible(LONG_TIMEOUT)
      await expect(status('Credited')).toBeHidden()
      await makeFinal(stack)
      await expect(status('Credited')).toBeVisible(LONG_TIMEOUT)
      await expect(step('Credited to your balance')).toContainText('In your balance.')
      expect(moneyRequests(stack, wallet)).toEqual(asked)
      expect(await readAllowance(stack, symbol, wallet.address), 'nothing may be taken any more').toBe(0n)

      await sheet.getByRole('button', { name: 'View in asset log' }).click()
      await expect(page).toHaveURL(new RegExp(`/wallet/detail\\?symbol=${symbol}`))
      await expect(depositPage(page).tray).toBeHidden()
      await expect(page.getByRole('listitem').filter({ hasText: 'Transfer in' })).toBeVisible()
    })
  }

  test('goes on if the browser takes seconds to say that no other tab pays', async ({ page, stack, enterWith }) => {
    await page.addInitScript(() => {
      const request = navigator.locks.request.bind(navigator.locks) as (...all: unknown[]) => Promise<unknown>
      const afterSeconds = async (name: string, ...others: unknown[]) => {
        if (name.startsWith('payment.')) await new Promise((resolve) => setTimeout(resolve, 3_000))
        return request(name, ...others)
      }
      Object.defineProperty(navigator.locks, 'request', { value: afterSeconds })
    })
    const { wallet } = await enterWith({ USDT: '500' })
    await fillDepositForm(page, 'USDT', '100')
    const { submit, status, sheet } = depositPage(page)
    await submit.click()
    await expect(status('In a block').or(status('Confirming'))).toBeVisible(LONG_TIMEOUT)
    await expect(sheet).not.toContainText('Another tab')
    expect(moneyRequests(stack, wallet)).toEqual(['approve 100 USDT', 'deposit 100 USDT'])
  })

  test('resets an old allowance first if the token requires it; a refusal shows no error', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ USDT: '500' })
    // Refusing the payment leaves the allowance of 30 behind.
    wallet.setMisbehavior('refuses', 'eth_sendTransaction', 1, 1)
    await fillDepositForm(page, 'USDT', '30')
    await depositPage(page).submit.click()
    await expect.poll(() => wallet.countRequests('eth_sendTransaction')).toBe(2)
    await expect(depositPage(page).amount).toHaveValue('30')

    await depositPage(page).amount.fill('100')
    await expect(depositPage(page).preview).toContainText('approval to zero')
    wallet.setMisbehavior('refuses', 'eth_sendTransaction', 1)
    await depositPage(page).submit.click()
    await expect.poll(() => wallet.countRequests('eth_sendTransaction')).toBe(3)
    await expect(depositPage(page).amount).toHaveValue('100')
    await depositPage(page).submit.click()
    await expect(depositPage(page).status('In a block').or(depositPage(page).status('Confirming'))).toBeVisible(
      LONG_TIMEOUT,
    )
    expect(moneyRequests(stack, wallet)).toEqual([
      'approve 30 USDT',
      'deposit 30 USDT',
      'approve 0 USDT',
      'approve 0 USDT',
      'approve 100 USDT',
      'deposit 100 USDT',
    ])
  })

  test('asks only for the payment if the allowance is already large enough', async ({ page, stack, enterWith }) => {
    const { wallet } = await enterWith({ BTC: '2' })
    wallet.setMisbehavior('refuses', 'eth_sendTransaction', 1, 1)
    await fillDepositForm(page, 'BTC', '1.5')
    await depositPage(page).submit.click()
    await expect.poll(() => wallet.countRequests('eth_sendTransaction')).toBe(2)
    await expect(depositPage(page).amount).toHaveValue('1.5')
    await expect(depositPage(page).preview).not.toContainText('no more')
    await expect(depositPage(page).preview).toContainText('is already approved')
    await expect(depositPage(page).networkFee).toHaveText(/^About 0\.0\d*\sETH$/)
    await depositPage(page).submit.click()
    await expect(depositPage(page).status('In a block').or(depositPage(page).status('Confirming'))).toBeVisible(
      LONG_TIMEOUT,
    )
    expect(moneyRequests(stack, wallet)).toEqual(['approve 1.5 BTC', 'deposit 1.5 BTC', 'deposit 1.5 BTC'])
  })

  test('asks the wallet once if the button is pressed twice', async ({ page, stack, enterWith }) => {
    const { wallet } = await enterWith({ BTN: '100' })
    await fillDepositForm(page, 'BTN', '7')
    await depositPage(page).submit.dblclick()
    await expect(depositPage(page).status('In a block').or(depositPage(page).status('Confirming'))).toBeVisible(
      LONG_TIMEOUT,
    )
    expect(moneyRequests(stack, wallet)).toEqual(['permit 7 BTN', 'depositWithPermit 7 BTN'])
    expect(await readStoredPayments(page)).toHaveLength(1)
  })

  test('keeps the focus inside its sheet, and continues after the sheet is closed', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '100' })
    wallet.setMisbehavior('holds-back', 'eth_sendTransaction', 1)
    await fillDepositForm(page, 'BTN', '7')
    await depositPage(page).submit.press('Enter')
    await expect(depositPage(page).status('Sent')).toBeVisible()
    const isInside = () => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)
    await expect.poll(isInside).toBe(true)
    await depositPage(page).close.click()
    await expect(depositPage(page).tray).toContainText('Deposit 7 BTN')
    await page.goto('/home')
    await wallet.broadcast()
    await expect(depositPage(page).tray.getByText(/In a block|Confirming/)).toBeVisible(LONG_TIMEOUT)
    await makeFinal(stack)
    await expect(depositPage(page).tray).toContainText('Credited', LONG_TIMEOUT)
    await depositPage(page)
      .tray.getByRole('button', { name: /Remove from list/ })
      .click()
    await expect(depositPage(page).tray).toBeHidden()
    expect(await readStoredPayments(page)).toEqual([])
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
    test(`${where} shows no error, returns to the unchanged form and stores nothing`, async ({
      page,
      stack,
      enterWith,
      toasts,
    }) => {
      const { wallet } = await enterWith({ [symbol]: '50' })
      wallet.setMisbehavior('refuses', method, 1)
      await fillDepositForm(page, symbol, '20')
      await depositPage(page).submit.click()
      await expect.poll(() => wallet.countRequests(method)).toBe(1)
      await expect(depositPage(page).amount).toHaveValue('20')
      await expect(depositPage(page).submit).toBeEnabled()
      await expect(depositPage(page).tray).toBeHidden()
      expect(await readStoredPayments(page)).toEqual([])
      expect(wallet.transactions).toEqual([])
      expect(toasts).toEqual([])
      expect(moneyRequests(stack, wallet)).toEqual(asked)
    })
  }
})

test.describe('a second deposit of the same amount', () => {
  test('shows the pending one instead of paying twice, and needs a confirmation', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '100' })
    await fillDepositForm(page, 'BTN', '7')
    await depositPage(page).submit.click()
    await expect(depositPage(page).status('In a block').or(depositPage(page).status('Confirming'))).toBeVisible(
      LONG_TIMEOUT,
    )

    await fillDepositForm(page, 'BTN', '7.0')
    await expect(depositPage(page).sheet.getByRole('region', { name: 'In progress' })).toContainText('7 BTN')
    await depositPage(page).submit.click()
    await expect(depositPage(page).sheet).toContainText('already in progress, so no second one was requested')
    expect(moneyRequests(stack, wallet)).toHaveLength(2)

    await depositPage(page).sheet.getByRole('button', { name: 'Deposit another 7 BTN' }).click()
    const question = page.getByRole('alertdialog', { name: 'A second deposit?' })
    await expect(question).toContainText('Send another 7 BTN?')
    await question.getByRole('button', { name: 'Deposit another 7 BTN' }).click()
    await expect(depositPage(page).preview).toContainText('sign an approval of 7 BTN for the vault, and no more')
    expect(moneyRequests(stack, wallet), 'told before it is asked').toHaveLength(2)
    await depositPage(page).sheet.getByRole('button', { name: 'Deposit another 7 BTN' }).dblclick()
    await expect.poll(() => moneyRequests(stack, wallet)).toHaveLength(4)
    await expect(depositPage(page).status('In a block').or(depositPage(page).status('Confirming'))).toBeVisible(
      LONG_TIMEOUT,
    )
    expect(await readStoredPayments(page)).toHaveLength(2)
  })
})

test.describe('the deposit form', () => {
  test('shows amount errors at the field, and fills in the whole balance with one press', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ USDT: '1234.5' })
    await fillDepositForm(page, 'USDT', '')
    const { amount, sheet, submit } = depositPage(page)
    for (const [text, words] of [
      ['1,234', 'Write 1234 or 1.234'],
      ['12.3456789', 'USDT has at most 6 decimals'],
      ['abc', 'Use digits and one decimal point'],
      ['0', 'The amount must be more than zero'],
      ['1234.500001', 'Your wallet holds 1,234.5 USDT'],
    ] as const) {
      await amount.fill(text)
      await submit.click()
      await expect(sheet.getByText(words)).toBeVisible()
      await expect(amount).toHaveAttribute('aria-invalid', 'true')
    }
    await sheet.getByRole('button', { name: 'Max: everything in your wallet' }).click()
    await expect(amount).toHaveValue('1234.5')
    await amount.fill('1 200,25')
    await expect(submit).toHaveText('Deposit 1,200.25 USDT')
    expect(moneyRequests(stack, wallet)).toEqual([])
  })

  test('says what the level may take out, and that only this wallet can pay in, in three languages', async ({
    page,
    enterWith,
  }) => {
    const { member } = await enterWith({ USDT: '10' })
    await openDepositForm(page, 'USDT')
    const { sheet } = depositPage(page)
    await expect(sheet).toContainText('At L0 you can take out up to 100 USDT in any 24 hours.')
    await expect(sheet).toContainText('Only from this wallet.')
    for (const { lang, open, title, limit, only } of [
      {
        lang: 'zh_tw',
        open: '存入',
        title: '存入 BTN',
        limit: 'L0 等級在任意 24 小時內最多可轉出',
        only: '只能從這個錢包存入',
      },
      {
        lang: 'zh_cn',
        open: '充值',
        title: '充值 BTN',
        limit: 'L0 等级在任意 24 小时内最多可转出',
        only: '只能从这个钱包充值',
      },
    ] as const) {
      await storeSession(page, { ...member, lang })
      await page.goto('/wallet/detail?symbol=BTN')
      await page.getByRole('button', { name: open, exact: true }).click()
      const dialog = page.getByRole('dialog', { name: title })
      await expect(dialog).toContainText(limit)
      await expect(dialog).toContainText(only)
    }
  })

  test('blocks payment while the wallet has another account selected, and names the right one', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet, member } = await enterWith({ USDT: '50' })
    await fillDepositForm(page, 'USDT', '5')
    await wallet.switchAccount(newAccount())
    await page.getByRole('dialog', { name: 'Your wallet switched accounts' }).press('Escape')
    await expect(depositPage(page).sheet).toContainText(`switch back to ${member.account.address.slice(0, 6)}`)
    await expect(depositPage(page).submit).toBeHidden()
    await wallet.switchAccount(member.account)
    await expect(depositPage(page).submit).toHaveText('Deposit 5 USDT')
    expect(moneyRequests(stack, wallet)).toEqual([])
  })

  test('offers to switch the network, and asks the wallet nothing on the wrong one', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ USDT: '50' })
    wallet.chainId = 1
    await openDepositForm(page, 'USDT')
    await depositPage(page).sheet.getByRole('button', { name: 'Switch to Lode Test' }).click()
    await expect(depositPage(page).sheet.getByText('In your wallet: 50 USDT')).toBeVisible()
    expect(moneyRequests(stack, wallet)).toEqual([])
  })

  test('shows the network fee that the node estimates, and what the wallet lacks to pay it', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ USDT: '50' })
    const { amount, networkFee, sheet } = depositPage(page)
    await openDepositForm(page, 'USDT')
    await expect(networkFee).toHaveText('Your wallet shows it')
    await amount.fill('5')
    await expect(networkFee).toHaveText(/^About 0\.0\d*\sETH for the approval, and more for the payment$/)

    await callNode(stack, 'anvil_setBalance', [wallet.address, toHex(1_000n)])
    await openDepositForm(page, 'USDT')
    await amount.fill('5')
    await expect(sheet).toContainText(/Your wallet has too little ETH to pay the network fee of about 0\.0\d*\sETH/)
  })

  test('leaves the network fee to the wallet if the node does not estimate it', async ({ page, enterWith }) => {
    const { wallet } = await enterWith({ USDT: '50' })
    wallet.setMisbehavior('fails', 'eth_estimateGas')
    await fillDepositForm(page, 'USDT', '5')
    await expect.poll(() => wallet.countRequests('eth_estimateGas')).toBe(1)
    await expect(depositPage(page).networkFee).toHaveText('Your wallet shows it')
    await expect(depositPage(page).submit).toBeEnabled()
  })

  test('asks a disconnected wallet to connect again', async ({ page, enterWith }) => {
    const { wallet } = await enterWith({ USDT: '50' })
    wallet.connected = false
    await openDepositForm(page, 'USDT')
    await depositPage(page).sheet.getByRole('button', { name: 'Connect Plain Wallet' }).click()
    await expect(depositPage(page).sheet.getByText('In your wallet: 50 USDT')).toBeVisible()
  })

  test('checks again before the wallet opens, and reports changes instead of asking the wallet', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    await fillDepositForm(page, 'BTN', '5')
    await giveCoins(stack, wallet.address, { BTN: '1' })
    await depositPage(page).submit.click()
    await expect(depositPage(page).sheet).toContainText('Your wallet holds 1 BTN')
    expect(moneyRequests(stack, wallet)).toEqual([])
    expect(await readStoredPayments(page)).toEqual([])
  })

  test('uses an exact allowance, after saying so, if the wallet cannot sign permits', async ({
    page,
    stack,
    enterWith,
  }) => {
    const { wallet } = await enterWith({ BTN: '50' })
    wallet.setMisbehavior('does-not-know-how', 'eth_signTypedData_v4')
    await fillDepositForm(page, 'BTN', '5')
    await depositPage(page).submit.click()
    await expect(depositPage(page).sheet).toContainText('approve exactly 5 BTN instead')
    await depositPage(page).openWallet.click()
    await expect(depositPage(page).status('In a block').or(depositPage(page).status('Confirming'))).toBeVisible(
      LONG_TIMEOUT,
    )
    expect(moneyRequests(stack, wallet)).toEqual(['permit 5 BTN', 'approve 5 BTN', 'deposit 5 BTN'])
  })
})
