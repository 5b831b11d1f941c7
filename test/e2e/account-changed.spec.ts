import type { Page } from '@playwright/test'
import { expectHome, signIn, storedSession } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your wallet changed its account' })
const short = (address: string) => new RegExp(`${address.slice(0, 6)}.*${address.slice(-4)}`, 'i')

test.describe('the account changed in the wallet while logged in', () => {
  test('shows both addresses and keeps the session; switching back ends it', async ({ page, register, giveWallet }) => {
    const [member, other] = [await register(), await register()]
    const wallet = await giveWallet({ account: member.account })
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)

    await wallet.switchAccount(other.account)
    await expect(dialog(page)).toContainText(short(member.account.address))
    await expect(dialog(page)).toContainText(short(other.account.address))
    expect((await storedSession(page)).account).toBe(member.account.address)

    await wallet.switchAccount(member.account)
    await expect(dialog(page)).toBeHidden()
    expect((await storedSession(page)).account).toBe(member.account.address)
  })

  test('“Switch back” asks the wallet for its choice of accounts', async ({ page, register, giveWallet }) => {
    const [member, other] = [await register(), await register()]
    const wallet = await giveWallet({ account: member.account })
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    await wallet.switchAccount(other.account)
    await dialog(page).getByRole('button', { name: 'Switch back' }).click()
    await expect.poll(() => wallet.asked('wallet_requestPermissions')).toBe(1)
  })

  test('“Sign in as this one” leads to a session of the other account', async ({ page, register, giveWallet }) => {
    const [member, other] = [await register(), await register()]
    const wallet = await giveWallet({ account: member.account })
    await page.goto('/login')
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, member.account.address)
    await wallet.switchAccount(other.account)
    await dialog(page).getByRole('button', { name: 'Sign in as this one' }).click()
    await expect(page).toHaveURL(/\/login/)
    await signIn(page)
      .wallet(/Plain Wallet/)
      .click()
    await expectHome(page, other.account.address)
  })

  test('is seen after a reload too, without opening the wallet', async ({ page, register, giveWallet }) => {
    const [member, other] = [await register(), await register()]
    const wallet = await giveWallet({ account: member.account })
    await page.goto('/login')
    await signIn(page)
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
