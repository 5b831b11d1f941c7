import type { Locator, Page } from '@playwright/test'

/** The elements of the promotion page, by their accessible names. */
export function promotion(page: Page) {
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
    submit: form.getByRole('button', { name: /^(Place the order|Pay .* from balance)$/ }),
    order,
    pay: order.getByRole('button', { name: /^Pay / }),
    cancel: order.getByRole('button', { name: 'Cancel the order' }),
    done: order.getByRole('button', { name: 'Done' }),
    goOn: order.getByRole('button', { name: 'Open my wallet' }),
    /** The status word of the order or its payment. */
    status: (word: string | RegExp): Locator => order.getByText(word, { exact: true }),
    tray: page.getByRole('region', { name: 'Payments' }),
  }
}

/** Opens the form as members do. */
export async function openForm(page: Page): Promise<void> {
  await page.goto('/promotion')
  await promotion(page).promote.click()
  await promotion(page).form.waitFor()
}

/** Creates an order that waits to be paid with the wallet. */
export async function orderOnline(page: Page): Promise<void> {
  await openForm(page)
  await promotion(page).submit.click()
  await promotion(page).pay.waitFor()
}
