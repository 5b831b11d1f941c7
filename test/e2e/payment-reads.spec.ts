import type { Asset } from '@lode/kernel'
import type { Locator, Page } from '@playwright/test'
import { approveUnlimited, LONG_TIMEOUT, makeFinal } from '../browser/chain.ts'
import { depositPage, openDepositForm } from '../browser/deposit.ts'
import { moneyRequests } from '../browser/money-requests.ts'
import { expect, test } from '../browser/own-stack.ts'
import { placeUnpaidOrder } from '../browser/place-order.ts'
import { pledgePage } from '../browser/pledge.ts'
import { orderOnline, promotionPage } from '../browser/promotion.ts'

const IN_PROGRESS = /^(In a block|Confirming)$/
const NOTHING_READ =
  'Your wallet’s network does not answer. Your balance, the approval and the coins for the network fee could not be read.'

test.use({ onlyFor: 'payment-reads' })
test.afterEach(async ({ page, owned }) => {
  owned.nodeProxy.resumeAnswering()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

type Payment = {
  readonly name: string
  readonly symbol: Asset
  readonly amount: string
  readonly asked: string
  /** Opens the screen of the payment, up to the pay button. */
  readonly open: (page: Page) => Promise<void>
  readonly sheet: (page: Page) => Locator
  readonly pay: (page: Page) => Locator
}

const payments: readonly Payment[] = [
  {
    name: 'a deposit',
    symbol: 'USDT',
    amount: '100',
    asked: 'deposit 100 USDT',
    open: async (page) => {
      await openDepositForm(page, 'USDT')
      await depositPage(page).amount.fill('100')
    },
    sheet: (page) => depositPage(page).sheet,
    pay: (page) => depositPage(page).submit,
  },
  {
    name: 'the order of a promotion',
    symbol: 'USDT',
    amount: '100',
    asked: 'pay 100 USDT',
    open: orderOnline,
    sheet: (page) => promotionPage(page).order,
    pay: (page) => promotionPage(page).pay,
  },
  {
    name: 'the order of a pledge',
    symbol: 'BTN',
    amount: '20000',
    asked: 'pay 20000 BTN',
    open: async (page) => {
      await placeUnpaidOrder(page, { kind: 'pledge', quantity: '20000', termDays: 30 })
      await page.goto('/pledge')
      await page.getByRole('button', { name: /^Pay / }).click()
      await pledgePage(page).pay.waitFor()
    },
    sheet: (page) => pledgePage(page).order,
    pay: (page) => pledgePage(page).pay,
  },
]

for (const { name, symbol, amount, asked, open, sheet, pay } of payments) {
  test.describe(name, () => {
    const tryAgain = (page: Page) => sheet(page).getByRole('button', { name: 'Try again' })
    const said = (page: Page) => sheet(page).getByRole('status').filter({ hasText: 'network' })

    test('asks only for the payment if the vault has an unlimited allowance', async ({ page, stack, enterWith }) => {
      const { member, wallet } = await enterWith({ [symbol]: amount })
      await approveUnlimited(stack, symbol, member.account.key)
      await open(page)
      await expect(sheet(page)).toContainText('This amount is already approved', LONG_TIMEOUT)
      await pay(page).click()
      await expect(sheet(page).getByText(IN_PROGRESS)).toBeVisible(LONG_TIMEOUT)
      await makeFinal(stack)
      expect(moneyRequests(stack, wallet)).toEqual([asked])
    })

    test('shows what could not be read while the node does not answer, and can be paid when it answers again', async ({
      page,
      stack,
      owned,
      enterWith,
    }) => {
      const { wallet } = await enterWith({ [symbol]: amount })
      owned.nodeProxy.stopAnswering()
      await open(page)
      await expect(said(page)).toHaveText(NOTHING_READ, LONG_TIMEOUT)
      await expect(sheet(page)).not.toContainText('Reading your wallet balance')

      owned.nodeProxy.resumeAnswering()
      const before = wallet.countRequests('eth_call')
      await tryAgain(page).click()
      await expect(pay(page)).toBeEnabled(LONG_TIMEOUT)
      expect(wallet.countRequests('eth_call'), 'all of it is read again').toBeGreaterThan(before + 3)
      await expect(said(page)).toBeHidden()
      await pay(page).click()
      await expect(sheet(page).getByText(IN_PROGRESS)).toBeVisible(LONG_TIMEOUT)
      await makeFinal(stack)
      expect(moneyRequests(stack, wallet)).toHaveLength(2)
    })
  })
}

test('a wallet that does not report its network is named in the form, and is asked again on retry', async ({
  page,
  enterWith,
}) => {
  const { wallet } = await enterWith({ USDT: '100' })
  wallet.setMisbehavior('hangs', 'eth_chainId')
  await openDepositForm(page, 'USDT')
  const { sheet, submit, tryAgain } = depositPage(page)
  await expect(sheet.getByRole('status').filter({ hasText: 'which network it is on' })).toBeVisible(LONG_TIMEOUT)
  wallet.clearMisbehaviors()
  await tryAgain.click()
  await expect(submit).toBeEnabled(LONG_TIMEOUT)
})

const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' })

/** Leaves requests for this route unanswered until the returned function is called. Later requests are answered. */
async function leaveUnanswered(page: Page, name = 'pool/chain'): Promise<() => void> {
  let isSilent = true
  await page.route(new RegExp(`/api/${name}`), (route) => (isSilent ? new Promise(() => {}) : route.continue()))
  return () => {
    isSilent = false
  }
}

/** The text if the pool did not answer what a payment needs. */
const NO_ANSWER = 'The pool did not answer.'

test.describe('a pool that does not answer with its chain and contracts', () => {
  test('is reported in the deposit form, and asked again on retry', async ({ page, enterWith }) => {
    await enterWith({ USDT: '100' })
    const answer = await leaveUnanswered(page)
    await page.goto('/wallet/detail?symbol=USDT')
    await page.getByRole('button', { name: 'Deposit', exact: true }).click()
    await expect(depositPage(page).sheet.getByRole('alert')).toContainText(NO_ANSWER, LONG_TIMEOUT)
    answer()
    await depositPage(page).tryAgain.click()
    await expect(depositPage(page).sheet).toContainText('In your wallet: 100', LONG_TIMEOUT)
  })

  test('is reported in the order sheet, and asked again on retry', async ({ page, enterWith }) => {
    await enterWith({ USDT: '100' })
    await orderOnline(page)
    const answer = await leaveUnanswered(page)
    // A loaded page keeps the chain's data; a reloaded one has to read it again.
    await page.goto('/promotion')
    await page.getByRole('button', { name: /^Pay / }).click()
    await expect(promotionPage(page).order.getByRole('alert')).toContainText(NO_ANSWER, LONG_TIMEOUT)
    answer()
    await promotionPage(page).order.getByRole('button', { name: 'Try again' }).click()
    await expect(promotionPage(page).pay).toBeEnabled(LONG_TIMEOUT)
  })

  test('is reported at the promotion button, and asked again on retry', async ({ page, enterWith }) => {
    await enterWith({ USDT: '100' })
    const answer = await leaveUnanswered(page)
    await page.goto('/promotion')
    const said = page.getByRole('alert').filter({ hasText: NO_ANSWER })
    await expect(said).toBeVisible(LONG_TIMEOUT)
    // The retry fails too: the button is busy, and then the text appears again.
    await tryAgain(page).click()
    await expect(said).toBeHidden()
    await expect(said).toBeVisible(LONG_TIMEOUT)
    answer()
    await tryAgain(page).click()
    await expect(promotionPage(page).promote).toBeEnabled(LONG_TIMEOUT)
    await expect(page.getByText(NO_ANSWER)).toBeHidden()
  })

  test('is reported at the pledge preview button, and asked again on retry', async ({ page, enterWith }) => {
    await enterWith({ BTN: '100' })
    const answer = await leaveUnanswered(page)
    await page.goto('/pledge')
    await expect(page.getByRole('alert')).toContainText(NO_ANSWER, LONG_TIMEOUT)
    answer()
    await tryAgain(page).click()
    await expect(pledgePage(page).preview).toBeEnabled(LONG_TIMEOUT)
    await expect(page.getByText(NO_ANSWER)).toBeHidden()
  })
})

test.describe('the transfer form', () => {
  test('says that the terms could not be loaded, and loads them on retry', async ({ page, enterWith }) => {
    await enterWith({ USDT: '100' })
    const answer = await leaveUnanswered(page, 'transfer/terms')
    await page.goto('/setting/transfer')
    const failed = page.getByRole('heading', { name: 'The transfer terms could not be loaded' })
    await expect(failed).toBeVisible(LONG_TIMEOUT)
    await expect(page.getByText('Request timed out')).toBeVisible()
    answer()
    await tryAgain(page).click()
    await expect(page.getByRole('button', { name: 'Choose a fund password' })).toBeEnabled(LONG_TIMEOUT)
    await expect(failed).toBeHidden()
  })

  test('stays visible without the chain figures, says so at its button, and loads them on retry', async ({
    page,
    enterWith,
  }) => {
    await enterWith({ USDT: '100' })
    const answer = await leaveUnanswered(page)
    await page.goto('/setting/transfer')
    await expect(page.getByRole('alert').filter({ hasText: NO_ANSWER })).toBeVisible(LONG_TIMEOUT)
    await expect(page.getByLabel('Amount')).toBeVisible()
    answer()
    await tryAgain(page).click()
    await expect(page.getByRole('button', { name: 'Choose a fund password' })).toBeEnabled(LONG_TIMEOUT)
    await expect(page.getByText(NO_ANSWER)).toBeHidden()
  })
})
