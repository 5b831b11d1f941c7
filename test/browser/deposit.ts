import type { Asset } from '@lode/kernel'
import type { Locator, Page } from '@playwright/test'

/** The elements of the deposit page, by their accessible names. */
export function depositPage(page: Page) {
  const sheet = page.getByRole('dialog', { name: /^Deposit (?:USDT|BTN|BTC)$/ })
  const tray = page.getByRole('region', { name: 'Payments' })
  const steps = sheet.getByRole('list', { name: 'Payment progress' }).getByRole('listitem')
  return {
    sheet,
    tray,
    amount: sheet.getByLabel('Amount'),
    preview: sheet.getByRole('region', { name: 'What happens next' }),
    networkFee: sheet.getByText('Network fee', { exact: true }).locator('xpath=following-sibling::*'),
    submit: sheet.getByRole('button', { name: /^Deposit(?: [\d.,]+.*)?$/ }),
    close: sheet.getByRole('button', { name: 'Close' }).last(),
    openWallet: sheet.getByRole('button', { name: 'Open my wallet' }),
    askAgain: sheet.getByRole('button', { name: 'Ask my wallet again' }),
    stopPayment: sheet.getByRole('button', { name: 'Stop this payment' }),
    tryAgain: sheet.getByRole('button', { name: 'Try again' }),
    steps,
    step: (name: string): Locator => steps.filter({ hasText: name }),
    /** The payment's status word. */
    status: (word: string): Locator => sheet.getByText(word, { exact: true }),
  }
}

/** Opens the form as members do. */
export async function openDepositForm(page: Page, symbol: Asset): Promise<void> {
  await page.goto(`/wallet/detail?symbol=${symbol}`)
  await page.getByRole('button', { name: 'Deposit', exact: true }).click()
  await depositPage(page).amount.waitFor()
}

export async function fillDepositForm(page: Page, symbol: Asset, amount: string): Promise<void> {
  await openDepositForm(page, symbol)
  await depositPage(page).sheet.getByText('In your wallet:').waitFor()
  await depositPage(page).amount.fill(amount)
}

/** The payments that the browser has stored. */
export const readStoredPayments = (page: Page): Promise<{ stage: { at: string }; sent: { hash: string }[] }[]> =>
  page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([key]) => key.startsWith('payment.'))
      .map(([, text]) => JSON.parse(text)),
  )
