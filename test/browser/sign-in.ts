import { expect, type Locator, type Page } from '@playwright/test'

/** What a member sees and presses while signing in, by the names that it is read out by. */
export const signIn = (page: Page) => ({
  wallet: (name: string | RegExp): Locator => page.getByRole('button', { name }),
  /** The steps, each as its own line. */
  step: (name: string): Locator =>
    page.getByRole('list', { name: 'Progress of sign-in' }).getByRole('listitem').filter({ hasText: name }),
  confirmInviter: page.getByRole('dialog', { name: 'Confirm your inviter' }),
  anotherWallet: page.getByRole('button', { name: 'Choose another wallet' }),
  tryAgain: page.getByRole('button', { name: 'Try again' }),
})

/** The account at the head of /home, by which one sees who is signed in. */
export async function expectHome(page: Page, address: string): Promise<void> {
  await expect(page).toHaveURL(/\/home$/)
  const short = new RegExp(`${address.slice(0, 6)}.*${address.slice(-4)}`, 'i')
  await expect(page.getByRole('main').getByText(short).first()).toBeVisible()
}

/** What a newcomer reads before anything else. */
export const acceptRisks = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'I have read and accept it' }).click()

/** Registration ends on the sheet for the fund password; behind it stands the code, for whoever wants to keep it. */
export async function putPasswordOff(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'Choose a fund password' })
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(sheet).toBeHidden()
}

export const storedSession = (page: Page): Promise<{ token: string | null; account: string | null }> =>
  page.evaluate(() => {
    const { token, account } = JSON.parse(localStorage.getItem('session') ?? '{"state":{}}').state
    return { token: token ?? null, account: account ?? null }
  })
