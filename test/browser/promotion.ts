import type { Locator, Page } from '@playwright/test'
import { placeUnpaidOrder } from './place-order.ts'

/** The elements of the promotion page, by their accessible names. */
export function promotionPage(page: Page) {
  const main = page.locator('main:visible')
  const form = page.getByRole('dialog', { name: /^Promote to L\d$/ })
  const order = page.getByRole('dialog', { name: /^Promotion to L\d$/ })
  return {
    main,
    /** Opens the form. */
    promote: page.getByRole('button', { name: /^Promote to L\d/ }),
    form,
    part: form.getByRole('textbox', { name: 'From your balance' }),
    slider: form.getByRole('slider', { name: 'From your balance' }),
    password: form.getByLabel('Fund password'),
    /** Creates the order. */
    submit: form.getByRole('button', { name: /^(Place order|Order and pay .*|Pay .* from balance)$/ }),
    order,
    pay: order.getByRole('button', { name: /^Pay / }),
    cancel: order.getByRole('button', { name: 'Cancel order' }),
    done: order.getByRole('button', { name: 'Done' }),
    openWallet: order.getByRole('button', { name: 'Open my wallet' }),
    /** The status word of the order or its payment. */
    status: (word: string | RegExp): Locator => order.getByText(word, { exact: true }),
    tray: page.getByRole('region', { name: 'Payments' }),
  }
}

/** Opens the form as members do. */
export async function openPromotionForm(page: Page): Promise<void> {
  await page.goto('/promotion')
  await promotionPage(page).promote.click()
  await promotionPage(page).form.waitFor()
}

/** Places an order that waits to be paid with the wallet, and opens it. */
export async function orderOnline(page: Page): Promise<void> {
  await placeUnpaidOrder(page, { kind: 'promotion' })
  await page.goto('/promotion')
  await page.getByRole('button', { name: /^Pay / }).click()
  await promotionPage(page).pay.waitFor()
}
