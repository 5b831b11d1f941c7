import type { Locator, Page } from '@playwright/test'

/** What a member sees and presses on the way to its next level, by the names that it is read out by. */
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
    /** Orders. */
    submit: form.getByRole('button', { name: /^(Place the order|Pay .* from balance)$/ }),
    order,
    pay: order.getByRole('button', { name: /^Pay / }),
    cancel: order.getByRole('button', { name: 'Cancel the order' }),
    done: order.getByRole('button', { name: 'Done' }),
    goOn: order.getByRole('button', { name: 'Open my wallet' }),
    /** In words that stand alone: where the order, or its payment, is. */
    status: (word: string | RegExp): Locator => order.getByText(word, { exact: true }),
    tray: page.getByRole('region', { name: 'Payments' }),
  }
}

/** To the form, by the way that members go. */
export async function openForm(page: Page): Promise<void> {
  await page.goto('/promotion')
  await promotion(page).promote.click()
  await promotion(page).form.waitFor()
}

/** All of it, to the order that waits to be paid with the wallet. */
export async function orderOnline(page: Page): Promise<void> {
  await openForm(page)
  await promotion(page).submit.click()
  await promotion(page).pay.waitFor()
}
