import type { Page } from '@playwright/test'
import { copiedText, limitClipboard } from '../browser/clipboard.ts'
import { depositPage, openDepositForm } from '../browser/deposit.ts'
import { signInPage } from '../browser/sign-in.ts'
import { expect, test } from '../browser/test.ts'

const copyLink = (page: Page) => page.getByRole('button', { name: 'Copy invitation link' })
const copyByHandDialog = (page: Page) => page.getByRole('dialog', { name: 'Copy by hand' })
const readSelection = (page: Page) =>
  copyByHandDialog(page)
    .getByRole('textbox')
    .evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd))

for (const api of ['absent', 'denied'] as const) {
  test.describe(`where the Clipboard API is ${api}, copying`, () => {
    test('falls back to execCommand and keeps focus and selection', async ({
      page,
      context,
      stack,
      register,
      enter,
      toasts,
    }) => {
      await limitClipboard(page, { api, execCommand: 'works' })
      const member = await register()
      await enter(member)
      await page.goto('/share')
      const tail = page.getByText(`…${member.account.address.slice(-6)}`)
      await tail.evaluate((text) => getSelection()?.selectAllChildren(text))
      await copyLink(page).press('Enter')
      await expect.poll(() => toasts).toEqual(['Copy successful'])
      expect(await copiedText(page, context)).toBe(`${stack.origin}/regist?invite=${member.inviteCode}`)
      await expect(page.getByRole('button', { name: /Copied|Copy invitation link/ })).toBeFocused()
      expect(await page.evaluate(() => getSelection()?.toString())).toBe(await tail.textContent())
      await expect(page.locator('textarea')).toHaveCount(0)
    })

    test('works inside a sheet, which keeps the focus', async ({ page, context, stack, enterWith, toasts }) => {
      await limitClipboard(page, { api, execCommand: 'works' })
      await enterWith({ USDT: '5' })
      await openDepositForm(page, 'USDT')
      await depositPage(page).amount.fill('3')
      const copy = depositPage(page).sheet.getByRole('button', { name: 'Copy address' })
      await copy.press('Enter')
      await expect.poll(() => toasts).toEqual(['Copy successful'])
      expect(await copiedText(page, context)).toBe(stack.contracts.vault)
      await expect(copy).toBeFocused()
      await expect(depositPage(page).amount).toHaveValue('3')
    })

    test('shows the text selected if every method fails, and never says that it was copied', async ({
      page,
      stack,
      register,
      enter,
      toasts,
    }) => {
      await limitClipboard(page, { api, execCommand: 'fails' })
      const member = await register()
      await enter(member)
      await page.goto('/share')
      await copyLink(page).click()
      await expect(copyByHandDialog(page)).toContainText('The text is selected')
      await expect.poll(() => readSelection(page)).toBe(`${stack.origin}/regist?invite=${member.inviteCode}`)
      await expect(copyByHandDialog(page).getByRole('textbox')).toBeFocused()
      await expect
        .poll(() => toasts)
        .toEqual([api === 'absent' ? 'Your browser does not support the Clipboard API.' : 'Copy failed'])
      await expect(page.getByText('Copied', { exact: true })).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(copyByHandDialog(page)).toBeHidden()
      await expect(copyLink(page)).toBeFocused()
    })
  })
}

test('an address that cannot be copied is shown in a dialog above its sheet, which stays open', async ({
  page,
  stack,
  enterWith,
}) => {
  await limitClipboard(page, { api: 'denied', execCommand: 'fails' })
  await enterWith({ USDT: '5' })
  await openDepositForm(page, 'USDT')
  await depositPage(page).amount.fill('3')
  await depositPage(page).sheet.getByRole('button', { name: 'Copy address' }).click()
  await expect.poll(() => readSelection(page)).toBe(stack.contracts.vault)
  await copyByHandDialog(page).getByRole('button', { name: 'Close' }).first().click()
  await expect(copyByHandDialog(page)).toBeHidden()
  await expect(depositPage(page).sheet).toBeVisible()
  await expect(depositPage(page).amount).toHaveValue('3')
})

test('a set-up code that cannot be copied is shown for copying by hand', async ({ page, stack, giveWallet }) => {
  await limitClipboard(page, { api: 'absent', execCommand: 'fails' })
  await giveWallet()
  await page.goto(`/regist?invite=${stack.rootCode}`)
  await signInPage(page)
    .wallet(/Plain Wallet/)
    .click()
  await page.getByRole('button', { name: 'Confirm and sign' }).click()
  await page.getByRole('button', { name: 'Copy the set-up code' }).click()
  await expect.poll(() => readSelection(page)).toMatch(/^(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/)
})
