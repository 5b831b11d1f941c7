import type { Page } from '@playwright/test'
import { expectHome, readStoredSession, signInPage } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your wallet switched accounts' })
const short = (address: string) => new RegExp(`${address.slice(0, 6)}.*${address.slice(-4)}`, 'i')

test.describe('the account changed in the wallet while logged in', () => {
  test('opens a dialog with both addresses and keeps the session; the dialog closes when the member switches back', async ({
    page,
    register,
    giveWallet,
  }) => {
    const [member, other] = [await register(), await register()]
    const wallet = await giveWallet({ account: member.account })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)

    await wallet.switchAccount(other.account)
    await expect(dialog(page)).toContainText(short(member.account.address))
    await expect(dialog(page)).toContainText(short(other.account.address))
    expect((await readStoredSession(page)).account).toBe(member.account.address)

    await wallet.switchAccount(member.account)
    await expect(dialog(page)).toBeHidden()
    expect((await readStoredSession(page)).account).toBe(member.account.address)
  })

  test('“Switch back” opens the account selection of the wallet', async ({ page, register, giveWallet }) => {
    const [member, other] = [await register(), await register()]
    const wallet = await giveWallet({ account: member.account })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    await wallet.switchAccount(other.account)
    await dialog(page).getByRole('button', { name: 'Switch back' }).click()
    await expect.poll(() => wallet.countRequests('wallet_requestPermissions')).toBe(1)
  })

  test('“Sign in with this one” starts a session of the new account', async ({ page, register, giveWallet }) => {
    const [member, other] = [await register(), await register()]
    const wallet = await giveWallet({ account: member.account })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    await wallet.switchAccount(other.account)
    await dialog(page).getByRole('button', { name: 'Sign in with this one' }).click()
    await expect(page).toHaveURL(/\/login/)
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, other.account.address)
  })

  test('is detected after a reload without opening the wallet', async ({ page, register, giveWallet }) => {
    const [member, other] = [await register(), await register()]
    const wallet = await giveWallet({ account: member.account })
    await page.goto('/login')
    await signInPage(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    await page.goto('/404')
    await wallet.switchAccount(other.account)
    const prompts = wallet.prompts.length
    await page.goto('/home')
    await expect(dialog(page)).toBeVisible()
    expect(wallet.prompts.length).toBe(prompts)
  })
})
