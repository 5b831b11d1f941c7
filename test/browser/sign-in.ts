import { expect, type Locator, type Page } from '@playwright/test'

/** The elements of the sign-in pages, by their accessible names. */
export const signInPage = (page: Page) => ({
  wallet: (name: string | RegExp): Locator => page.getByRole('button', { name }),
  /** The steps, one line each. */
  step: (name: string): Locator =>
    page.getByRole('list', { name: 'Sign-in progress' }).getByRole('listitem').filter({ hasText: name }),
  confirmInviter: page.getByRole('dialog', { name: 'Confirm your inviter' }),
  anotherWallet: page.getByRole('button', { name: 'Choose another wallet' }),
  tryAgain: page.getByRole('button', { name: 'Try again' }),
})

/** Checks the account at the top of /home, which shows who is signed in. */
export async function expectHome(page: Page, address: string): Promise<void> {
  await expect(page).toHaveURL(/\/home$/)
  const short = new RegExp(`${address.slice(0, 6)}.*${address.slice(-4)}`, 'i')
  await expect(page.getByRole('main').getByText(short).first()).toBeVisible()
}

/** Accepts the risk explanation, which members see who have not accepted it while registering. */
export const acceptRisks = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'I have read and accept this' }).click()

export const readStoredSession = (page: Page): Promise<{ token: string | null; account: string | null }> =>
  page.evaluate(() => {
    const { token, account } = JSON.parse(localStorage.getItem('session') ?? '{"state":{}}').state
    return { token: token ?? null, account: account ?? null }
  })

/**
 * Opens the question whether to log out, on /setting. Its button is at the end of the page and moves while the cards
 * above load, so this waits for the list of sessions, the last to be loaded. Returns the question.
 */
export async function askToLogOut(page: Page): Promise<Locator> {
  await expect(page.getByText('This one', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Log out' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toBeVisible()
  return question
}
