import type { Asset } from '@lode/kernel'
import type { Locator, Page } from '@playwright/test'
import { allowWithoutLimit, makeFinal } from '../browser/coins.ts'
import { deposit, openForm } from '../browser/deposit.ts'
import { moneyRequests } from '../browser/money-requests.ts'
import { expect, test } from '../browser/own-stack.ts'
import { pledging, previewPledge } from '../browser/pledge.ts'
import { orderOnline, promotion } from '../browser/promotion.ts'

/** Longer than a screen waits for a read before it names what it could not read. */
const PATIENT = { timeout: 15_000 }
const ON_ITS_WAY = /^(In a block|Confirming)$/
const NOTHING_READ =
  'Your wallet’s network does not answer: your balance, the allowance and the coins for the network fee could not be read.'

test.use({ onlyFor: 'payment-reads' })
test.afterEach(async ({ page, owned }) => {
  owned.gate.endSilence()
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
      await openForm(page, 'USDT')
      await deposit(page).amount.fill('100')
    },
    sheet: (page) => deposit(page).sheet,
    pay: (page) => deposit(page).submit,
  },
  {
    name: 'the order of a promotion',
    symbol: 'USDT',
    amount: '100',
    asked: 'pay 100 USDT',
    open: orderOnline,
    sheet: (page) => promotion(page).order,
    pay: (page) => promotion(page).pay,
  },
  {
    name: 'the order of a pledge',
    symbol: 'BTN',
    amount: '20000',
    asked: 'pay 20000 BTN',
    open: async (page) => {
      await previewPledge(page, '20000')
      await pledging(page).submit.click()
      await pledging(page).pay.waitFor()
    },
    sheet: (page) => pledging(page).order,
    pay: (page) => pledging(page).pay,
  },
]

for (const { name, symbol, amount, asked, open, sheet, pay } of payments) {
  test.describe(name, () => {
    const tryAgain = (page: Page) => sheet(page).getByRole('button', { name: 'Try again' })
    const said = (page: Page) => sheet(page).getByRole('status').filter({ hasText: 'network' })

    test('is paid where the vault has an unlimited allowance, and only the payment is asked for', async ({
      page,
      stack,
      enterWith,
    }) => {
      const { member, wallet } = await enterWith({ [symbol]: amount })
      await allowWithoutLimit(stack, symbol, member.account.key)
      await open(page)
      await expect(sheet(page)).toContainText('The vault may already take this much', PATIENT)
      await pay(page).click()
      await expect(sheet(page).getByText(ON_ITS_WAY)).toBeVisible(PATIENT)
      await makeFinal(stack)
      expect(moneyRequests(stack, wallet)).toEqual([asked])
    })

    test('says what a node that never answers left unread, and is paid when the node is back', async ({
      page,
      stack,
      owned,
      enterWith,
    }) => {
      const { wallet } = await enterWith({ [symbol]: amount })
      owned.gate.silence()
      await open(page)
      await expect(said(page)).toHaveText(NOTHING_READ, PATIENT)
      await expect(sheet(page)).not.toContainText('Reading what is in your wallet')

      owned.gate.endSilence()
      const before = wallet.asked('eth_call')
      await tryAgain(page).click()
      await expect(pay(page)).toBeEnabled(PATIENT)
      expect(wallet.asked('eth_call'), 'all of it is read again').toBeGreaterThan(before + 3)
      await expect(said(page)).toBeHidden()
      await pay(page).click()
      await expect(sheet(page).getByText(ON_ITS_WAY)).toBeVisible(PATIENT)
      await makeFinal(stack)
      expect(moneyRequests(stack, wallet)).toHaveLength(2)
    })
  })
}

test('a wallet that does not say which network it is on is told of, and asked again', async ({ page, enterWith }) => {
  const { wallet } = await enterWith({ USDT: '100' })
  wallet.will('hangs', 'eth_chainId')
  await openForm(page, 'USDT')
  const { sheet, submit, tryAgain } = deposit(page)
  await expect(sheet.getByRole('status').filter({ hasText: 'which network it is on' })).toBeVisible(PATIENT)
  wallet.behaves()
  await tryAgain.click()
  await expect(submit).toBeEnabled(PATIENT)
})

const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' })

/** Leaves requests for this route unanswered until the returned function is called. Later requests are answered. */
async function holdBack(page: Page, name = 'pool/chain'): Promise<() => void> {
  let isSilent = true
  await page.route(new RegExp(`/api/${name}`), (route) => (isSilent ? new Promise(() => {}) : route.continue()))
  return () => {
    isSilent = false
  }
}

/** The text if the pool did not answer what a payment needs. */
const SILENT = 'The pool did not answer.'

test.describe('a pool that does not say where it is paid', () => {
  test('is told of in the form of a deposit, and asked again', async ({ page, enterWith }) => {
    await enterWith({ USDT: '100' })
    const answer = await holdBack(page)
    await page.goto('/wallet/detail?symbol=USDT')
    await page.getByRole('button', { name: 'Deposit', exact: true }).click()
    await expect(deposit(page).sheet.getByRole('alert')).toContainText(SILENT, PATIENT)
    answer()
    await deposit(page).tryAgain.click()
    await expect(deposit(page).sheet).toContainText('In your wallet: 100', PATIENT)
  })

  test('is told of in the sheet of an order, and asked again', async ({ page, enterWith }) => {
    await enterWith({ USDT: '100' })
    await orderOnline(page)
    const answer = await holdBack(page)
    // A loaded page keeps the chain's data; a reloaded one has to read it again.
    await page.goto('/promotion')
    await page.getByRole('button', { name: /^Pay / }).click()
    await expect(promotion(page).order.getByRole('alert')).toContainText(SILENT, PATIENT)
    answer()
    await promotion(page).order.getByRole('button', { name: 'Try again' }).click()
    await expect(promotion(page).pay).toBeEnabled(PATIENT)
  })

  test('is named at the button that promotes, and asked again', async ({ page, enterWith }) => {
    await enterWith({ USDT: '100' })
    const answer = await holdBack(page)
    await page.goto('/promotion')
    const said = page.getByRole('alert').filter({ hasText: SILENT })
    await expect(said).toBeVisible(PATIENT)
    // The retry fails too: the button is busy, and then the text appears again.
    await tryAgain(page).click()
    await expect(said).toBeHidden()
    await expect(said).toBeVisible(PATIENT)
    answer()
    await tryAgain(page).click()
    await expect(promotion(page).promote).toBeEnabled(PATIENT)
    await expect(page.getByText(SILENT)).toBeHidden()
  })

  test('is named at the button that previews a pledge, and asked again', async ({ page, enterWith }) => {
    await enterWith({ BTN: '100' })
    const answer = await holdBack(page)
    await page.goto('/pledge')
    await expect(page.getByRole('alert')).toContainText(SILENT, PATIENT)
    answer()
    await tryAgain(page).click()
    await expect(pledging(page).preview).toBeEnabled(PATIENT)
    await expect(page.getByText(SILENT)).toBeHidden()
  })
})

test.describe('the form of a transfer', () => {
  test('says that the pool did not say its terms, and asks again', async ({ page, enterWith }) => {
    await enterWith({ USDT: '100' })
    const answer = await holdBack(page, 'transfer/terms')
    await page.goto('/setting/transfer')
    const failed = page.getByRole('heading', { name: 'The terms of a transfer could not be loaded' })
    await expect(failed).toBeVisible(PATIENT)
    await expect(page.getByText('Request timed out')).toBeVisible()
    answer()
    await tryAgain(page).click()
    await expect(page.getByRole('button', { name: 'Choose a fund password' })).toBeEnabled(PATIENT)
    await expect(failed).toBeHidden()
  })

  test('stays in sight without the figures of the chain, says so at its button, and asks again', async ({
    page,
    enterWith,
  }) => {
    await enterWith({ USDT: '100' })
    const answer = await holdBack(page)
    await page.goto('/setting/transfer')
    await expect(page.getByRole('alert').filter({ hasText: SILENT })).toBeVisible(PATIENT)
    await expect(page.getByLabel('Amount')).toBeVisible()
    answer()
    await tryAgain(page).click()
    await expect(page.getByRole('button', { name: 'Choose a fund password' })).toBeEnabled(PATIENT)
    await expect(page.getByText(SILENT)).toBeHidden()
  })
})
